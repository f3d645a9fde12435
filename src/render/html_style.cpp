#include "render/html.hpp"

namespace yore::render {

std::string_view html_style() {
  return R"css(:root {
  --page: #fbfaf8; --paper: #ffffff; --ink: #1f2328; --soft: #667079; --line: #e3e1dc;
  --you: #f1eee6; --accent: #0b6e6e; --code: #f5f4f0; --mark: #8a5a00; --link: #0a58a8;
  --keyword: #8b2c9b; --string: #1d6f42; --number: #0b6e8a; --added: #e3f4e6; --removed: #fbe6e4;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #16181a; --paper: #1d2023; --ink: #dfe3e6; --soft: #98a2aa; --line: #31363b;
    --you: #262a2e; --accent: #5cc3bd; --code: #15171a; --mark: #e0b25a; --link: #7ab4f0;
    --keyword: #d49be0; --string: #8fd0a3; --number: #7cc7de; --added: #17331f; --removed: #3d1f1e;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body { margin: 0; background: var(--page); color: var(--ink);
  font: 16px/1.6 system-ui, -apple-system, "Segoe UI", "Noto Sans", "DejaVu Sans", sans-serif; }
main { max-width: 52rem; margin: 0 auto; padding: 2.5rem 1.25rem 4rem; }
h1 { font-size: 1.5rem; line-height: 1.3; margin: 0 0 1rem; overflow-wrap: anywhere; }
header { border-bottom: 1px solid var(--line); padding-bottom: 1.25rem; }
dl { display: grid; grid-template-columns: repeat(auto-fill, minmax(21rem, 1fr)); gap: .15rem 1.5rem;
  margin: 0; font-size: .875rem; }
dl div { display: flex; gap: .6rem; min-width: 0; }
dt { color: var(--soft); flex: 0 0 4.5rem; }
dd { margin: 0; overflow-wrap: anywhere; min-width: 0; }
.turn { padding: 1.5rem 0 .5rem; border-bottom: 1px solid var(--line); }
.turn:last-child { border-bottom: 0; }
.turn:target h2 a { color: var(--accent); }
h2 { font-size: .875rem; font-weight: 600; color: var(--soft); margin: 0 0 .75rem; }
h2 a { color: inherit; text-decoration: none; }
h2 a:hover { text-decoration: underline; }
time { font-weight: 400; margin-left: .35rem; }
.mark { font-weight: 500; font-size: .75rem; color: var(--mark); border: 1px solid currentColor;
  border-radius: 1rem; padding: .05rem .5rem; margin-left: .35rem; }
.who { font-size: .8rem; font-weight: 600; letter-spacing: .02em; margin: 1rem 0 .3rem;
  color: var(--accent); }
.who.you { color: var(--soft); }
.prompt { background: var(--you); border-radius: .6rem; padding: .75rem 1rem; white-space: pre-wrap;
  overflow-wrap: anywhere; }
.answer { overflow-wrap: anywhere; }
.answer > :first-child { margin-top: .25rem; }
.answer p, .answer ul, .answer ol, .answer blockquote { margin: .6rem 0; }
.answer ul, .answer ol { padding-left: 1.5rem; }
.answer ul ul, .answer ol ol, .answer ul ol, .answer ol ul { margin: .15rem 0; }
.task { list-style: none; margin-left: -1.25rem; }
h3, h4, h5, h6 { line-height: 1.3; margin: 1.25rem 0 .4rem; font-size: 1.05rem; }
h3 { font-size: 1.2rem; }
blockquote { border-left: 3px solid var(--line); padding-left: 1rem; color: var(--soft); }
hr { border: 0; border-top: 1px solid var(--line); margin: 1.25rem 0; }
a { color: var(--link); }
.target { color: var(--soft); font-size: .85em; overflow-wrap: anywhere; }
code, pre { font-family: ui-monospace, "SF Mono", Menlo, Consolas, "Noto Sans Mono",
  "DejaVu Sans Mono", monospace; font-size: .86em; }
code { background: var(--code); border: 1px solid var(--line); border-radius: .3rem;
  padding: .05em .3em; overflow-wrap: anywhere; }
pre { background: var(--code); border: 1px solid var(--line); border-radius: .5rem;
  padding: .75rem 1rem; margin: .75rem 0; overflow-x: auto; line-height: 1.5; font-size: .82rem; }
pre code { background: none; border: 0; padding: 0; font-size: inherit; overflow-wrap: normal; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-size: .92em; margin: .75rem 0; }
th, td { border: 1px solid var(--line); padding: .3rem .65rem; text-align: left;
  vertical-align: top; overflow-wrap: normal; }
th { background: var(--code); }
.right { text-align: right; }
.tool, details { font-size: .875rem; color: var(--soft); margin: .3rem 0; }
.tool code { background: none; border: 0; padding: 0; }
.tool b { color: var(--ink); font-weight: 600; }
summary { cursor: pointer; overflow-wrap: anywhere; }
p.tool { padding-left: 1.05rem; overflow-wrap: anywhere; }
details > pre { max-height: 32rem; overflow: auto; color: var(--ink); }
details small { margin-left: .35rem; opacity: .8; white-space: nowrap; }
.thinking[open], .note[open] { border-left: 2px solid var(--line); padding-left: 1rem; }
.k { color: var(--keyword); } .s { color: var(--string); } .n { color: var(--number); }
.c { color: var(--soft); font-style: italic; } .p { color: var(--number); }
.a { background: var(--added); } .r { background: var(--removed); }
@media (max-width: 36rem) {
  main { padding: 1.25rem .9rem 3rem; }
  body { font-size: 15px; }
  h1 { font-size: 1.35rem; }
}
@media print { details:not([open]) { display: none; } body { background: none; } }
)css";
}

}  // namespace yore::render

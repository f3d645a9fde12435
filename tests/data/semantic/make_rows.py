#!/usr/bin/env python3
"""Writes pieces.jsonl and vectors.jsonl: what the reference says of texts of our own.

    make_rows.py MODEL

MODEL is a package or folder that tools/convert_model.py reads and that holds tokenizer.json. Pieces
come from Hugging Face tokenizers, cut at 256; vectors from ONNX Runtime in single precision over the
graph of bench/embed_onnx.py. Needs numpy, onnx, onnxruntime, tokenizers and xxhash (PyPI).
"""

import json
import pathlib
import sys
import tempfile

import onnx
import tokenizers

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[2] / "bench"))
import embed_onnx  # noqa: E402

HOSTILE = [
    "",
    " ",
    "\t\r\n",
    "Hello, world!",
    "Größe naïve café ÉCOLE İstanbul ǅ ŉ ß ẞ",
    "e\u0301 a\u0300\u0301\u0302b \u0344 \u1e9b\u0323",
    "ﬁne ﬀ ﬃ Ⅷ ½ ℡ ㎏",
    "中文字符 mixed with 日本語テキスト and 한국어 가각",
    "𠀀𠀁 丽 \U0002b820 \U0002b920",
    "emoji 😀👍🏽 family 👨\u200d👩\u200d👧\u200d👦 flag 🇩🇪 heart ❤\ufe0f",
    "zero\u200bwidth\u200cjoin\u200d soft\u00adhyphen bom\ufeff",
    "bell\u0007 escape\u001b[31mred\u001b[0m del\u007f nul\u0000end vt\u000bff\u000c nel\u0085x",
    "no\u00a0break thin\u2009space ideographic\u3000space line\u2028sep",
    "replacement \ufffd private \ue000 unassigned \u0378 nonchar \uffff",
    "snake_case camelCase kebab-case dotted.name a/b\\c x::y->z",
    "std::vector<std::pair<int, std::string>> v{{1, \"a\"}};",
    "ERROR: undefined reference to `foo(int&&)' (ld returned 1 exit status)",
    "https://example.org/a?b=c&d=%20e#frag user@example.org",
    "/home/user/.local/share/yore/keyword-1/0001.seg",
    "0x7ffd1234 1e-12 3.14159 2024-01-31T23:59:59Z 1,234,567",
    "[CLS] [SEP] [PAD] [UNK] [MASK] [sep] [[SEP]] [CLS",
    "##ing ## # ### un##able",
    "x" * 99,
    "x" * 100,
    "x" * 101,
    "é" * 100,
    "é" * 101,
    "e\u0301" * 100,
    "가" * 33 + " " + "가" * 34,
    "antidisestablishmentarianism floccinaucinihilipilification",
    "ΣΊΣΥΦΟΣ Ὀδυσσεύς ΑΣ",
    "Привет, мир! Ёлка йод",
    "שָׁלוֹם עֲלֵיכֶם",
    "مرحبا بالعالم ﷺ",
    "नमस्ते दुनिया स्त्री",
    "สวัสดีชาวโลก",
    "ཨོཾ་མ་ཎི་པདྨེ་ཧཱུྃ",
    "«guillemets» “quotes” ‘single’ —dash– …dots ‽ ⸮ \u2e43 \u2e5d",
    "\u166d\u1734\U000111c9\u08e2\U000110cd\u0890",
    "¿Qué? ¡Sí! ° § ¶ © ® ™ € £ ¥",
    "\u0060backtick\u0060 \u00b4 \u1fef \u037e \u0387",
    "a" * 300 + " b",
    "word " * 400,
    "中" * 400,
    "!" * 400,
    "\u0301\u0302 \u200d",
    "ｆｕｌｌ　ｗｉｄｔｈ　１２３！",
    "𝔐𝔞𝔱𝔥 𝒻𝓊𝓃 ℝ ∑ ∂ √ ≠ ≮ ≤",
    "don't can't it's o'clock rock'n'roll",
    "tab\tseparated\tvalues\r\nnext line\rold mac",
]

MEANING = [
    "How do I fix the flaky integration test?",
    "The integration test sometimes fails because two workers share one temporary directory.",
    "Why is the build so slow on the second run?",
    "ccache was not used: the compiler launcher is only read when the build tree is configured.",
    "undefined reference to `pthread_create'",
    "Link with -pthread, not only -lpthread, so that the compile flags are set as well.",
    "We decided to keep SQLite as the only store and to rebuild every index from it.",
    "Let's postpone the move to PostgreSQL until a customer asks for it.",
    "TypeError: Cannot read properties of undefined (reading 'map')",
    "The list is undefined on the first render; give it an empty array as default.",
    "rename the function parse_line to read_record everywhere",
    "git rebase --onto main feature~3 feature",
    "The token expires after an hour, so the nightly job needs a refresh before its last step.",
    "Please write a haiku about garbage collection.",
    "What did we conclude about retry limits?",
    "Retries are capped at five with exponential backoff and full jitter.",
    "Wie kann ich die Tests nur für ein Modul ausführen?",
    "Pourquoi le cache est-il invalidé à chaque démarrage ?",
    "为什么构建在持续集成中失败?",
    "テストが時々失敗する理由は何ですか",
    "the cat sat on the mat",
    "A feline rested on a rug.",
    "docker: Error response from daemon: port is already allocated.",
    "Stop the other container or map the service to another port.",
    "def add(a, b):\n    return a + b",
    "SELECT name, COUNT(*) FROM session GROUP BY name ORDER BY 2 DESC LIMIT 10;",
    "ok",
    "yes, do it",
    "🎉 it works now",
    "src/lexical/segment_format.hpp",
    "The weights are quantised to eight bits per value with one scale for each output column. " * 6,
    "I looked at the log of the failing run. " * 40,
    "",
]


def pieces_of(tokenizer, text):
    return tokenizer.encode(text).ids


def write(name, rows):
    with open(HERE / name, "w", encoding="ascii") as out:
        for row in rows:
            out.write(json.dumps(row) + "\n")


def main():
    source = pathlib.Path(sys.argv[1])
    members = dict(embed_onnx.convert.members(source))
    tokenizer = tokenizers.Tokenizer.from_str(members["tokenizer.json"]().decode())
    tokenizer.no_padding()
    tokenizer.enable_truncation(256)
    texts = HOSTILE + MEANING
    write("pieces.jsonl", [{"text": t, "ids": pieces_of(tokenizer, t)} for t in texts])
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "fp32.onnx"
        onnx.save(embed_onnx.Graph(embed_onnx.tensors_of(source)).model(), path)
        run = embed_onnx.session(path)
        rows = []
        for text in MEANING:
            vector = embed_onnx.vectors(run, [pieces_of(tokenizer, text)])[0]
            rows.append({"text": text, "vector": [round(float(value), 4) for value in vector]})
    write("vectors.jsonl", rows)


if __name__ == "__main__":
    main()

#include "generator/phrases.hpp"

#include <array>

namespace yore::generator {
namespace {

constexpr std::array kTopics = std::to_array<Topic>({
    {"the login flow", "users are logged out after a minute",
     "the refresh token was compared with local time", "comparing both times in UTC",
     "Fix early logout"},
    {"the response cache", "stale prices are served after a deploy",
     "the cache key did not contain the release number", "adding the release to the cache key",
     "Stale cache after deploy"},
    {"the expression parser", "nested ternaries are parsed the wrong way round",
     "the operator was left associative", "making the conditional operator right associative",
     "Parser associativity bug"},
    {"the CI pipeline", "the integration job is flaky on every second run",
     "two jobs wrote to the same artifact directory", "giving each job its own directory",
     "Flaky integration job"},
    {"the database migration", "the migration locks the orders table for minutes",
     "the index was created inside the transaction", "creating the index concurrently",
     "Migration without long locks"},
    {"the websocket reconnect", "clients reconnect in a storm when the gateway restarts",
     "the backoff had no jitter", "adding jitter and a ceiling to the backoff", "Reconnect storm"},
    {"the search index", "accents are not found in product names",
     "the analyser folded case but not diacritics", "normalising text before it is indexed",
     "Search ignores accents"},
    {"the image upload", "large photos fail with a timeout",
     "the body was buffered in memory before it was stored", "streaming the upload in chunks",
     "Upload of large photos"},
    {"the payment webhook", "some invoices are charged twice",
     "retries of the provider were not idempotent", "storing the event id with a unique constraint",
     "Duplicate charges"},
    {"the date picker", "the last day of the month is missing in some time zones",
     "midnight was computed in the zone of the server", "using calendar dates without a zone",
     "Missing last day"},
    {"the Docker image", "the container takes two minutes to build",
     "dependencies were installed after the source was copied",
     "ordering the layers by change rate", "Faster container build"},
    {"the memory usage", "the worker grows until it is killed",
     "listeners were registered again with each job", "removing the listener when a job ends",
     "Memory leak in worker"},
    {"the rate limiter", "bursts pass through when several nodes run",
     "each node counted for itself", "moving the counters to a shared store",
     "Rate limit across nodes"},
    {"the command line", "the exit code is zero when the config is missing",
     "the error was logged but not returned", "returning the error up to main",
     "Exit code of the CLI"},
    {"the CSV import", "quoted line breaks split a record in two", "the file was read line by line",
     "reading records with a small state machine", "CSV with line breaks"},
    {"the type checker", "generics are inferred as unknown in callbacks",
     "the constraint was lost in the overload", "repeating the constraint on the overload",
     "Generic inference"},
    {"the unit tests", "tests pass alone and fail together", "a fixture changed global state",
     "building the fixture anew for each test", "Order dependent tests"},
    {"the dark theme", "buttons are unreadable in the settings dialog",
     "the border color was hard coded", "taking the color from the theme tokens",
     "Dark theme contrast"},
    {"the job queue", "delayed jobs run twice after a crash",
     "the lock expired before the job was done", "renewing the lock while the job runs",
     "Jobs run twice"},
    {"the file watcher", "changes are missed when an editor renames files",
     "only write events were handled", "handling renames as create and delete",
     "Watcher misses renames"},
    {"the permission check", "guests can open drafts through the API",
     "the filter was applied in the view only", "checking the role in the query",
     "Draft visibility"},
    {"the release script", "the changelog misses merged branches",
     "the script followed the first parent only", "walking all parents since the last tag",
     "Changelog of merges"},
    {"the config loader", "environment variables do not override the file",
     "the file was merged last", "merging in the documented order", "Config precedence"},
    {"the pagination", "the last page repeats rows of the page before",
     "the sort order was not unique", "adding the id as the last sort key", "Stable pagination"},
});

constexpr std::array kEastAsian = std::to_array<EastAsianTopic>({
    {"登录之后令牌很快过期，请检查 {file} 里的刷新逻辑，并补上测试。",
     "问题已经修复：刷新令牌时使用了本地时间，现在统一改为协调世界时，{id} 的测试也通过了。",
     "修复登录令牌过期"},
    {"数据库迁移的时候订单表被锁住好几分钟，怎么避免？",
     "我把索引改成并发创建，并且拆成两个迁移步骤，{file} 中的锁等待时间现在不到一秒。",
     "避免迁移锁表"},
    {"缓存命中率太低，帮我分析一下 {id} 的键是怎么生成的。",
     "原因是缓存键里带了时间戳。我去掉了时间戳并加入版本号，命中率恢复正常。", "提高缓存命中率"},
    {"这个解析器遇到中文标点会崩溃，请先写一个能重现的用例。",
     "已经添加重现用例：解析器按字节切分字符。我改为按码点处理，{id} 不再崩溃。",
     "解析器中文标点崩溃"},
    {"ログイン後すぐにセッションが切れます。{file} を調べて原因を教えてください。",
     "原因は有効期限の比較でタイムゾーンが混ざっていたことです。{id} "
     "を修正し、テストを追加しました。",
     "セッション切れの修正"},
    {"検索で全角文字がヒットしません。正規化の処理を追加してほしいです。",
     "インデックス作成時に正規化を行うように変更しました。全角と半角のどちらでも検索できます。",
     "全角文字の検索"},
    {"テストが並列実行のときだけ失敗します。どうすればいいですか？",
     "共有の一時ディレクトリが原因でした。{file} "
     "でテストごとに新しいディレクトリを作るようにしました。",
     "並列テストの失敗"},
    {"データベースの接続が足りなくなります。接続プールの設定を見直してください。",
     "{id} で接続が返却されない経路がありました。必ず閉じるように直し、上限も設定しました。",
     "接続プールの見直し"},
});

constexpr std::array<std::string_view, 14> kPrompts = {
    "{symptom}. Can you find out why and fix it in {file}?",
    "Something is wrong with {area}: {symptom}. Please look at {id} first.",
    "Why is it that {symptom}? I suspect {id}, but I am not sure.",
    "Please add a test for {area} that shows the bug: {symptom}.",
    "I want to refactor {area}. Start with {file} and keep the public interface of {id}.",
    "How does {area} work? Explain the way from {id} to {id}.",
    "Implement {id} for {area}, with {word} and {word} as options. See {file} for the style.",
    "The build broke after the last merge. {id} is not found in {file}. What happened?",
    "We need {area} to handle {word} {word}. Make a plan before you change anything.",
    "Review the changes in {file} and tell me whether {area} can still fail when {word} is empty.",
    "Since yesterday {symptom}. The log says {id}: {word} {word} {word}.",
    "Write the documentation of {area}: what {id} does, its errors, and one example.",
    "Can we make {id} faster? It takes {n} ms and {area} calls it for each {word}.",
    "Upgrade {word} to {id} and fix what breaks in {area}.",
};

constexpr std::array<std::string_view, 18> kFollowUps = {
    "yes, go on",
    "ok, commit this",
    "looks good. Now do the same for {id}",
    "the test {id} still fails",
    "no, keep the old {word} and only change {file}",
    "why did you change {id}?",
    "run the tests again please",
    "now {symptom}, did you check {file}?",
    "continue",
    "can you also update the docs for {id}?",
    "I see {id} in the log when the {word} is {word}. Is that related?",
    "please simplify {id}, it is hard to read",
    "what about {area} when the {word} is missing?",
    "revert the last change and try {fix} instead",
    "add a comment that says why",
    "and the {word} {word} case?",
    "push it and open a pull request",
    "does this also work for {area}?",
};

constexpr std::array<std::string_view, 12> kSteps = {
    "Let me look at {file}.",
    "Now I will check how {id} is used.",
    "The test fails in {id}. Let me see the {word} first.",
    "I found the place: {id} in {file}.",
    "Next, update {id}.",
    "Let me run the tests for {area}.",
    "That is interesting: {symptom}, but only when {word} is {word}.",
    "The cause seems to be that {cause}.",
    "Now the same for {id}.",
    "Good. Only {n} tests fail now.",
    "Let me verify that with a small script.",
    "I will search for other callers of {id}.",
};

constexpr std::array<std::string_view, 8> kConclusions = {
    "I fixed {area} by {fix}. The cause: {cause}.",
    "Done. {cause}, which is why {symptom}. I solved it by {fix} in {file}.",
    "The problem was in {id}: {cause}. It is solved by {fix}, and {n} tests pass.",
    "All tests for {area} pass now. I changed {file} and {file}.",
    "In short: {symptom} because {cause}. The change in {id} is small, {fix} was enough.",
    "I did not change anything yet. My proposal for {area} is {fix}, starting in {file}.",
    "The change is committed as {id}. {area} now behaves as described, see {file}.",
    "This is not a bug in {id}: {cause}. I suggest {fix}.",
};

constexpr std::array<std::string_view, 8> kThoughts = {
    "The user wants me to look at {area}. First I should read {file} and find {id}.",
    "{symptom}. That could mean that {cause}. Let me check {id}.",
    "The test expects {word} but gets {word}, so {id} returns too early.",
    "If {cause}, then {fix} should help, but {id} must not change for other callers.",
    "Let me think about what happens when {word} is empty: {id} calls {id} and then {word}.",
    "I need to be careful here, {file} is also used by {id}.",
    "There are two ways: {fix}, or a new {word} in {id}. The first is simpler.",
    "The output shows {n} failures, all of them in {id}.",
};

constexpr std::array<std::string_view, 12> kSentences = {
    "The {word} in {id} is read before the {word} is set.",
    "- `{id}` now takes a {word} and returns the {word}",
    "- {file}: {word} {word} moved into `{id}`",
    "It keeps the {word} of the {word} and does not touch {id}.",
    "When the {word} is {word}, {id} falls back to the {word}.",
    "This also covers the {word} {word} that {id} reported.",
    "Note that {id} needs a {word} for each {word}, at most {n}.",
    "We could remove {id}, but {file} still depends on it.",
    "The {word} {word} was {word} and the {word} {word} is {word}.",
    "1. Check the {word} of {id}",
    "2. Run `{word} {word}` in {file}",
    "See {id} and {id} for the {word} handling.",
};

// \\t and \\\" are escapes of JSON: text is kept escaped.
constexpr std::array<std::string_view, 30> kCode = {
    "  const {word} = {id}({word}, {n});",
    "  if ({word} == {id}) return {word};",
    "    return {id}({word}.{word}, {id});",
    "  for (const {word} of {id}.{word}) {",
    "  }",
    "}",
    "",
    "// {word} {word} the {word} before {id} is {word}",
    "\\tif err := {id}(ctx, {word}); err != nil {",
    "\\t\\treturn fmt.Errorf(\\\"{word} {word}: %w\\\", err)",
    "\\t}",
    "func ({word} *{id}) {id}({word} string) error {",
    "def {id}(self, {word}, {word}=None):",
    "    self.{word} = {id}.{word}({word})",
    "    raise {id}(\\\"{word} {word} {word}\\\")",
    "import { {id} } from './{word}/{word}';",
    "export interface {id} { {word}: {word}; {word}?: {id} }",
    "  assert({id}({word}) == {n});",
    "  log.{word}(\\\"{word} {word} {id}\\\", {word});",
    "  {word}.{word} = {word} ?? {id};",
    "static {id} {word}_{word}({id} {word}, int {word}) {",
    "  auto {word} = std::make_unique<{id}>({word});",
    "  SELECT {word}, {word} FROM {id} WHERE {word} = {n};",
    "  await {id}.{word}({ {word}: {n}, {word}: '{word}' });",
    "    pub fn {word}(&self, {word}: &{id}) -> Result<{id}> {",
    "        let {word} = self.{word}.{id}()?;",
    "  \\\"{word}\\\": \\\"{word}-{word}\\\",",
    "  it('{word} {word} when {word} is {word}', async () => {",
    "    expect({id}.{word}).toBe({n});",
    "  # {word}: {word} {word} of {id}",
};

constexpr std::array<std::string_view, 20> kLogs = {
    "{file}:{n}:{n}: error: {word} {word} '{id}'",
    "ok  \\t{word}/{word}/{word}\\t0.{n}s",
    "--- FAIL: {id} (0.{n}s)",
    "    {file}:{n}: {word} {word}: got {word}, want {word}",
    "PASS",
    " {n} passing, {n} failing",
    "warning: unused {word} `{id}`",
    " M {file}",
    "{id} {word}: {word} {word} {word} {word}",
    "   Compiling {word}-{word} {id}",
    "  at {id} ({file}:{n}:{n})",
    "INFO  {word}.{word} {word} {word} {id} in {n} ms",
    "WARN  {word} {word} retry {n} of {n}: {id}",
    "drwxr-xr-x  {n} dev dev 4096 {word}",
    "+ {word} {word} {id}({word});",
    "- {word} {word} {id}({word});",
    "@@ -{n},{n} +{n},{n} @@ {word} {id}",
    "[{n}/{n}] Building {word} {file}",
    "Traceback: {id}: {word} {word} in {word}",
    "{word}={word} {word}={id} {word}={n}",
};

constexpr std::array<std::string_view, 12> kCommands = {
    "npm test -- {word}/{word}",
    "git status && git diff --stat",
    "cargo test {word}::{word}",
    "go test ./{word}/... -run {id}",
    "pytest tests/{word} -k {word} -x",
    "grep -rn \\\"{id}\\\" src | head -{n}",
    "make {word} 2>&1 | tail -{n}",
    "git log --oneline -{n} -- {file}",
    "sed -n '{n},{n}p' {file}",
    "ls -la {word}/{word}",
    "docker compose logs {word} --tail {n}",
    "cd {word} && npm run build 2>&1 | grep -i {word}",
};

}  // namespace

std::span<const Topic> topics() {
  return kTopics;
}
std::span<const EastAsianTopic> east_asian_topics() {
  return kEastAsian;
}
std::span<const std::string_view> prompt_patterns() {
  return kPrompts;
}
std::span<const std::string_view> follow_up_patterns() {
  return kFollowUps;
}
std::span<const std::string_view> step_patterns() {
  return kSteps;
}
std::span<const std::string_view> conclusion_patterns() {
  return kConclusions;
}
std::span<const std::string_view> thought_patterns() {
  return kThoughts;
}
std::span<const std::string_view> sentence_patterns() {
  return kSentences;
}
std::span<const std::string_view> code_patterns() {
  return kCode;
}
std::span<const std::string_view> log_patterns() {
  return kLogs;
}
std::span<const std::string_view> command_patterns() {
  return kCommands;
}

}  // namespace yore::generator

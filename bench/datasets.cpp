#include "datasets.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>
#include <functional>
#include <nlohmann/json.hpp>
#include <set>
#include <string_view>
#include <unordered_map>

#include "agent_formats.hpp"
#include "base/files/file.hpp"
#include "base/hash.hpp"

namespace yore::bench {
namespace {

using Json = nlohmann::json;

std::string session_id(std::size_t number) {
  return fmt::format("{:08x}-0000-4000-8000-{:012x}", number, number);
}

Result<Json> parse(std::string_view text, const std::string& path) {
  Json json = Json::parse(text, nullptr, false);
  if (json.is_discarded()) return Error{Errc::corrupt, path + ": not JSON"};
  return json;
}

// "1:56 pm on 8 May, 2023"
Time parse_spoken_time(const std::string& text) {
  constexpr std::array<std::string_view, 12> kMonths = {
      "January", "February", "March",     "April",   "May",      "June",
      "July",    "August",   "September", "October", "November", "December"};
  int hour = 0;
  int minute = 0;
  int day = 0;
  int year = 0;
  std::array<char, 3> half{};
  std::array<char, 16> month{};
  if (std::sscanf(text.c_str(), "%d:%d %2s on %d %15[A-Za-z], %d", &hour, &minute, half.data(),
                  &day, month.data(), &year) != 6) {
    return kNoTime;
  }
  int number = 0;
  for (std::size_t i = 0; i < kMonths.size(); ++i) {
    if (kMonths[i] == month.data()) number = static_cast<int>(i) + 1;
  }
  hour = hour % 12 + (half[0] == 'p' ? 12 : 0);
  return parse_iso8601(
             fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:00Z", year, number, day, hour, minute))
      .value_or(kNoTime);
}

// The session numbers in "D8:6; D9:17"; other texts name none.
std::set<int> sessions_in(std::string_view evidence) {
  std::set<int> numbers;
  for (std::size_t at = 0; (at = evidence.find('D', at)) != std::string_view::npos; ++at) {
    int number = 0;
    const char* const end = evidence.data() + evidence.size();
    const auto [stop, problem] = std::from_chars(evidence.data() + at + 1, end, number);
    if (problem == std::errc{} && stop != end && *stop == ':') numbers.insert(number);
  }
  return numbers;
}

void add_conversation(const Json& sample, Collection& collection) {
  const std::string project = sample.at("sample_id").get<std::string>();
  const Json& conversation = sample.at("conversation");
  const auto first_speaker = conversation.at("speaker_a").get<std::string>();
  std::map<int, std::string> session_of;
  for (int number = 1;; ++number) {
    const std::string key = fmt::format("session_{}", number);
    if (!conversation.contains(key + "_date_time")) break;
    if (!conversation.contains(key)) continue;  // a date without a conversation
    Document document;
    document.id = fmt::format("{}/{}", project, number);
    document.session = session_id(collection.documents.size());
    document.project = project;
    document.time = parse_spoken_time(conversation.at(key + "_date_time").get<std::string>());
    for (const Json& said : conversation.at(key)) {
      const auto speaker = said.at("speaker").get<std::string>();
      document.utterances.push_back(
          {speaker == first_speaker, speaker + ": " + said.at("text").get<std::string>(), {}, {}});
    }
    session_of[number] = document.session;
    collection.documents.push_back(std::move(document));
  }
  std::size_t number = 0;
  for (const Json& asked : sample.at("qa")) {
    Question question;
    question.id = fmt::format("{}/{}", project, number++);
    question.text = asked.at("question").get<std::string>();
    question.project = project;
    for (const Json& evidence : asked.value("evidence", Json::array())) {
      for (const int session : sessions_in(evidence.get<std::string>())) {
        if (session_of.contains(session)) question.gold[session_of[session]] = 1;
      }
    }
    if (!question.gold.empty()) collection.questions.push_back(std::move(question));
  }
}

Result<Collection> load_locomo(const std::string& path) {
  auto text = read_file(path);
  if (!text) return text.error();
  auto json = parse(*text, path);
  if (!json) return json.error();
  Collection collection;
  collection.name = "LoCoMo";
  for (const Json& sample : *json) add_conversation(sample, collection);
  return collection;
}

Status each_line(const std::string& path, const std::function<Status(std::string_view)>& visit) {
  const auto text = read_file(path);
  if (!text) return text.error();
  for (std::size_t at = 0; at < text->size();) {
    const std::size_t end = std::min(text->find('\n', at), text->size());
    if (end > at) {
      if (Status status = visit(std::string_view(*text).substr(at, end - at)); !status)
        return status;
    }
    at = end + 1;
  }
  return {};
}

Result<Collection> load_beir(const std::string& folder, const std::string& name) {
  Collection collection;
  collection.name = name;
  std::unordered_map<std::string, std::string> session_of;
  const std::string corpus = folder + "/corpus.jsonl";
  Status status = each_line(corpus, [&](std::string_view line) -> Status {
    const auto json = parse(line, corpus);
    if (!json) return json.error();
    Document document;
    document.id = json->at("_id").get<std::string>();
    document.session = session_id(collection.documents.size());
    document.project = name;
    const auto title = json->value("title", std::string());
    const auto text = json->value("text", std::string());
    document.utterances.push_back({true, title.empty() ? text : title + "\n\n" + text, {}, {}});
    session_of[document.id] = document.session;
    collection.documents.push_back(std::move(document));
    return {};
  });
  if (!status) return status.error();

  std::unordered_map<std::string, std::map<std::string, int>> gold;
  status = each_line(folder + "/qrels/test.tsv", [&](std::string_view line) -> Status {
    const std::size_t one = line.find('\t');
    const std::size_t two = line.find('\t', one + 1);
    if (two == std::string_view::npos) return {};
    const auto session = session_of.find(std::string(line.substr(one + 1, two - one - 1)));
    int grade = 0;  // stays 0 in the line of headings
    std::from_chars(line.data() + two + 1, line.data() + line.size(), grade);
    if (grade <= 0 || session == session_of.end()) return {};
    gold[std::string(line.substr(0, one))][session->second] = grade;
    return {};
  });
  if (!status) return status.error();

  const std::string queries = folder + "/queries.jsonl";
  status = each_line(queries, [&](std::string_view line) -> Status {
    const auto json = parse(line, queries);
    if (!json) return json.error();
    Question question;
    question.id = json->at("_id").get<std::string>();
    question.text = json->at("text").get<std::string>();
    question.gold = gold[question.id];
    if (!question.gold.empty()) collection.questions.push_back(std::move(question));
    return {};
  });
  if (!status) return status.error();
  return collection;
}

}  // namespace

bool Question::in_tune_half() const {
  return tunes.value_or(hash64(id) % 2 == 0);
}

std::string turn_key(std::string_view session, std::uint32_t turn) {
  return fmt::format("{}#{}", session, turn);
}

Result<Collection> load_collection(const std::string& folder, const std::string& name) {
  if (name == "locomo") return load_locomo(folder + "/locomo/locomo5.json");
  return load_beir(path_join(folder, name), name);
}

Status write_transcripts(const Collection& collection, const std::string& project,
                         const Place& place) {
  for (const Document& document : collection.documents) {
    if (!project.empty() && document.project != project) continue;
    if (Status status = write_session(document, place); !status) return status;
  }
  return {};
}

}  // namespace yore::bench

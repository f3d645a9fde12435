#include "text/secrets/detectors.hpp"

#include <algorithm>

#include "base/ascii.hpp"
#include "text/secrets/shape.hpp"

namespace yore::text {
namespace {

bool not_a_stand_in(std::string_view /*token*/, std::string_view body) {
  return !is_placeholder(body);
}
// For prefixes that ordinary names have as well.
bool must_be_random(std::string_view /*token*/, std::string_view body) {
  return !is_placeholder(body) && looks_random(body, 16);
}
bool checksum_or_not_a_stand_in(std::string_view /*token*/, std::string_view body) {
  return has_checksum(body) || !is_placeholder(body);
}

constexpr auto kPlain = not_a_stand_in;
constexpr auto kRandom = must_be_random;
constexpr auto kSummed = checksum_or_not_a_stand_in;

using enum Alphabet;

// kind, prefix, alphabet, least, most, check, what it looks like
constexpr Detector kDetectors[] = {
    // Code forges and registries of packages.
    {"github-token", "github_pat_", url, 60, 0, kPlain, "github_pat_ and 82 characters"},
    {"github-token", "ghp_", alnum, 30, 0, kSummed, "ghp_ and 36 letters and digits"},
    {"github-token", "gho_", alnum, 30, 0, kSummed, "gho_ and 36"},
    {"github-token", "ghu_", alnum, 30, 0, kSummed, "ghu_ and 36"},
    {"github-token", "ghs_", alnum, 30, 0, kSummed, "ghs_ and 36"},
    {"github-token", "ghr_", alnum, 30, 0, kSummed, "ghr_ and 36 or more"},
    {"gitlab-token", "glpat-", url, 20, 0, kPlain, "glpat- and 20"},
    {"gitlab-token", "gldt-", url, 20, 0, kPlain, "gldt- and 20"},
    {"gitlab-token", "glrt-", url, 20, 0, kPlain, "glrt- and 20"},
    {"gitlab-token", "glptt-", url, 20, 0, kPlain, "glptt- and 40"},
    {"gitlab-token", "glcbt-", url, 20, 0, kPlain, "glcbt- and 20"},
    {"gitlab-token", "glsoat-", url, 20, 0, kPlain, "glsoat- and 20"},
    {"npm-token", "npm_", alnum, 36, 0, kSummed, "npm_ and 36 letters and digits"},
    {"pypi-token", "pypi-AgE", url, 50, 0, kPlain, "pypi-AgE and 50 or more"},
    {"rubygems-key", "rubygems_", hex, 48, 48, kPlain, "rubygems_ and 48 hexadecimal digits"},
    {"docker-token", "dckr_pat_", url, 20, 0, kPlain, "dckr_pat_ and 27"},
    {"bitbucket-token", "ATBB", alnum, 28, 40, kRandom, "ATBB and 32"},
    {"atlassian-token", "ATATT3", url, 60, 0, kPlain, "ATATT3 and 180 or so"},
    // Models.
    {"anthropic-key", "sk-ant-", url, 24, 0, kPlain, "sk-ant-api03- and 95"},
    {"openrouter-key", "sk-or-", url, 32, 0, kPlain, "sk-or-v1- and 64"},
    {"openai-key", "sk-proj-", url, 24, 0, kPlain, "sk-proj- and 48 to 156"},
    {"openai-key", "sk-svcacct-", url, 24, 0, kPlain, "sk-svcacct- and as many"},
    {"openai-key", "sk-admin-", url, 24, 0, kPlain, "sk-admin- and as many"},
    {"api-key", "sk-", url, 24, 0, kRandom, "sk- and 32 to 64"},
    {"huggingface-token", "hf_", alnum, 30, 44, kRandom, "hf_ and 34 letters"},
    {"groq-key", "gsk_", alnum, 40, 0, kPlain, "gsk_ and 52"},
    {"xai-key", "xai-", alnum, 60, 0, kPlain, "xai- and 80"},
    {"perplexity-key", "pplx-", alnum, 40, 0, kPlain, "pplx- and 48"},
    {"replicate-token", "r8_", alnum, 37, 40, kPlain, "r8_ and 37"},
    {"nvidia-key", "nvapi-", url, 40, 0, kPlain, "nvapi- and 64"},
    {"langsmith-key", "lsv2_", url, 32, 0, kPlain, "lsv2_pt_ and 43"},
    {"tavily-key", "tvly-", url, 24, 0, kPlain, "tvly- and 32"},
    // Clouds.
    {"aws-access-key", "AKIA", base32, 16, 16, kPlain, "AKIA and 16 of A-Z, 2-7"},
    {"aws-access-key", "ASIA", base32, 16, 16, kPlain, "ASIA and 16"},
    {"aws-access-key", "ABIA", base32, 16, 16, kPlain, "ABIA and 16"},
    {"aws-access-key", "ACCA", base32, 16, 16, kPlain, "ACCA and 16"},
    {"google-api-key", "AIza", url, 35, 36, kPlain, "AIza and 35"},
    {"google-oauth-secret", "GOCSPX-", url, 24, 0, kPlain, "GOCSPX- and 28"},
    {"google-oauth-token", "ya29.", url, 30, 0, kPlain, "ya29. and 100 or more"},
    {"google-refresh-token", "1//0", url, 36, 0, kPlain, "1//0 and 60 or more"},
    {"digitalocean-token", "dop_v1_", hex, 64, 64, kPlain, "dop_v1_ and 64 hexadecimal digits"},
    {"digitalocean-token", "doo_v1_", hex, 64, 64, kPlain, "doo_v1_ and 64"},
    {"digitalocean-token", "dor_v1_", hex, 64, 64, kPlain, "dor_v1_ and 64"},
    {"vault-token", "hvs.", url, 24, 0, kPlain, "hvs. and 90 or more"},
    {"vault-token", "hvb.", url, 24, 0, kPlain, "hvb. and 130 or more"},
    {"doppler-token", "dp.pt.", alnum, 40, 0, kPlain, "dp.pt. and 43"},
    {"doppler-token", "dp.st.", dotted, 40, 0, kPlain, "dp.st. and 43"},
    {"databricks-token", "dapi", hex, 32, 32, kPlain, "dapi and 32 hexadecimal digits"},
    {"heroku-key", "HRKU-", url, 36, 0, kPlain, "HRKU- and 60"},
    {"fly-token", "fm2_", base64, 60, 0, kPlain, "fm2_ and base64"},
    {"tailscale-key", "tskey-", url, 20, 0, kPlain, "tskey-auth- and 40"},
    {"cloudflare-key", "v1.0-", url, 100, 0, kPlain, "v1.0- and 160"},
    {"supabase-key", "sbp_", hex, 40, 40, kPlain, "sbp_ and 40 hexadecimal digits"},
    {"supabase-key", "sb_secret_", url, 24, 0, kPlain, "sb_secret_ and 31"},
    {"planetscale-token", "pscale_tkn_", url, 32, 0, kPlain, "pscale_tkn_ and 43"},
    {"planetscale-password", "pscale_pw_", url, 32, 0, kPlain, "pscale_pw_ and 43"},
    // Money, mail and messages.
    {"stripe-key", "sk_live_", alnum, 16, 0, kPlain, "sk_live_ and 24 to 99"},
    {"stripe-key", "sk_test_", alnum, 16, 0, kPlain, "sk_test_ and 24 to 99"},
    {"stripe-key", "rk_live_", alnum, 16, 0, kPlain, "rk_live_ and 24 to 99"},
    {"stripe-key", "rk_test_", alnum, 16, 0, kPlain, "rk_test_ and 24 to 99"},
    {"stripe-webhook-secret", "whsec_", base64, 24, 0, kPlain, "whsec_ and 32"},
    {"square-token", "sq0atp-", url, 22, 0, kPlain, "sq0atp- and 22"},
    {"square-secret", "sq0csp-", url, 43, 0, kPlain, "sq0csp- and 43"},
    {"shopify-token", "shpat_", hex, 32, 32, kPlain, "shpat_ and 32 hexadecimal digits"},
    {"shopify-token", "shpca_", hex, 32, 32, kPlain, "shpca_ and 32"},
    {"shopify-token", "shppa_", hex, 32, 32, kPlain, "shppa_ and 32"},
    {"shopify-secret", "shpss_", hex, 32, 32, kPlain, "shpss_ and 32"},
    {"sendgrid-key", "SG.", dotted, 60, 70, kPlain, "SG. 22 . 43"},
    {"mailgun-key", "key-", hex, 32, 32, kPlain, "key- and 32 hexadecimal digits"},
    {"twilio-key", "SK", hex, 32, 32, kPlain, "SK and 32 hexadecimal digits"},
    {"slack-token", "xoxb-", url, 20, 0, kPlain, "xoxb- digits - digits - 24"},
    {"slack-token", "xoxp-", url, 20, 0, kPlain, "xoxp- and the like"},
    {"slack-token", "xoxa-", url, 20, 0, kPlain, "xoxa- and the like"},
    {"slack-token", "xoxr-", url, 20, 0, kPlain, "xoxr- and the like"},
    {"slack-token", "xoxs-", url, 20, 0, kPlain, "xoxs- and the like"},
    {"slack-token", "xoxc-", url, 20, 0, kPlain, "xoxc- and the like"},
    {"slack-token", "xoxd-", url, 20, 0, kPlain, "xoxd- and the like"},
    {"slack-token", "xoxe-", url, 20, 0, kPlain, "xoxe-1- and 140 or more"},
    {"slack-token", "xoxe.", dotted, 30, 0, kPlain, "xoxe.xoxp-1- and 160 or more"},
    {"slack-token", "xapp-", url, 30, 0, kPlain, "xapp-1- and the like"},
    // Tools of teams.
    {"linear-key", "lin_api_", alnum, 32, 0, kPlain, "lin_api_ and 40"},
    {"linear-token", "lin_oauth_", alnum, 32, 0, kPlain, "lin_oauth_ and 64"},
    {"notion-token", "ntn_", alnum, 40, 0, kPlain, "ntn_ and 46"},
    {"notion-token", "secret_", alnum, 43, 43, kRandom, "secret_ and 43"},
    {"figma-token", "figd_", url, 36, 0, kPlain, "figd_ and 40"},
    {"postman-key", "PMAK-", url, 40, 0, kPlain, "PMAK- 24 - 34"},
    {"newrelic-key", "NRAK-", alnum, 27, 27, kPlain, "NRAK- and 27"},
    {"sentry-token", "sntrys_", base64, 40, 0, kPlain, "sntrys_ and base64"},
    {"sentry-token", "sntryu_", hex, 64, 64, kPlain, "sntryu_ and 64 hexadecimal digits"},
    {"grafana-token", "glsa_", url, 36, 0, kPlain, "glsa_ 32 _ 8"},
    {"grafana-token", "glc_", base64, 32, 0, kPlain, "glc_ and base64"},
    {"buildkite-token", "bkua_", hex, 40, 40, kPlain, "bkua_ and 40 hexadecimal digits"},
    {"contentful-token", "CFPAT-", url, 43, 43, kPlain, "CFPAT- and 43"},
    {"onepassword-token", "ops_eyJ", url, 200, 0, kPlain, "ops_eyJ and 250 or more"},
    {"mapbox-token", "sk.eyJ", dotted, 60, 0, kPlain, "sk.eyJ … . 22"},
    {"age-key", "AGE-SECRET-KEY-1", alnum, 58, 58, kPlain, "AGE-SECRET-KEY-1 and 58"},
};

bool fits_dash(char given, char wanted) {
  return given == wanted || (wanted == '_' && given == '-');
}

}  // namespace

std::span<const Detector> detectors() {
  return kDetectors;
}

bool belongs(char c, Alphabet alphabet) {
  switch (alphabet) {
    case alnum:
      return ascii::is_alnum(c);
    case hex:
      return ascii::is_hex(c);
    case base32:
      return ascii::is_upper(c) || (c >= '2' && c <= '7');
    case url:
      return ascii::is_alnum(c) || c == '-' || c == '_';
    case dotted:
      return ascii::is_alnum(c) || c == '-' || c == '_' || c == '.';
    case base64:
      return ascii::is_alnum(c) || c == '+' || c == '/' || c == '=' || c == '-' || c == '_';
  }
  return false;
}

bool has_prefix(std::string_view text, std::string_view prefix) {
  return text.size() >= prefix.size() &&
         std::equal(prefix.begin(), prefix.end(), text.begin(),
                    [](char wanted, char given) { return fits_dash(given, wanted); });
}

bool has_checksum(std::string_view body) {
  constexpr std::size_t kDigits = 6;
  constexpr std::string_view kBase62 =
      "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
  if (body.size() <= kDigits) return false;
  std::uint32_t crc = 0xFFFFFFFF;
  for (const char c : body.substr(0, body.size() - kDigits)) {
    crc ^= static_cast<unsigned char>(c);
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1U) ^ ((crc & 1U) != 0 ? 0xEDB88320U : 0U);
  }
  crc = ~crc;
  std::uint64_t given = 0;
  for (const char c : body.substr(body.size() - kDigits)) {
    const std::size_t digit = kBase62.find(c);
    if (digit == std::string_view::npos) return false;
    given = given * kBase62.size() + digit;
  }
  return given == crc;
}

}  // namespace yore::text

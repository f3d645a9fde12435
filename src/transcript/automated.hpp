// automated.hpp — the one rule for what nobody typed.
//
// A prompt or a session is *automated* when something shows that no person was behind it: a timer,
// a hook, a cron job, a poll, or the record's own origin. That a program started the agent (`-p`,
// `exec`, an SDK) shows no such thing: a person may have typed the words into a script or an
// editor. That is *scripted*, and only ranks lower.
//
// Agents say it in their own words: a key, a source, a kind. Those words are looked up here, so
// that they mean the same for all of them; which field to ask is the adapter's or its description's
// matter.
#pragma once

#include <string_view>

namespace yore::transcript {

// Does an origin as an agent writes it ("cron", "scheduled_task", "agent:main:hook:deploy") name
// something that runs by itself? Parts between ":" are looked at one by one, ignoring what follows
// a "_", "-" or blank.
bool names_automation(std::string_view origin);

// Does it name a program that passes on what it was given ("exec", "sdk", "codex_exec")?
bool names_script(std::string_view origin);

}  // namespace yore::transcript

#!/usr/bin/env bash
# Judges a dataset, says what broke where the CI system shows it, and fails under thresholds or if it got worse. action.yml sets the
# variables.
set -uo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
jury() { node "${JURY_HOME:-$here/../..}/dist/main.js" "$@"; }

series="${SERIES:-${NAME:-gate}}"
run="${NAME:-gate}-${GITHUB_RUN_ID:-local}-${GITHUB_RUN_ATTEMPT:-$(date +%s)}"
arguments=(bench run "${DATASET:?set DATASET to the cases}" --name "$run" --series "$series")
[ -n "${MODELS:-}" ] && arguments+=(--models "$MODELS")
[ -n "${METHODS:-}" ] && arguments+=(--methods "$METHODS")
[ -n "${RUBRIC:-}" ] && arguments+=(--rubric "$RUBRIC")
[ -n "${BUDGET:-}" ] && arguments+=(--budget "$BUDGET")
[ "${CHANGED_ONLY:-}" = true ] && arguments+=(--changed-only)
for threshold in ${FAIL_UNDER:-}; do arguments+=(--fail-under "$threshold"); done
[ -n "${FAIL_UNDER:-}" ] && [ -n "${FAIL_UNDER_BY:-}" ] && arguments+=(--fail-under-by "$FAIL_UNDER_BY")

if [ -n "${BASELINE:-}" ]; then
  # The newest finished run of the series.
  before=$(jury bench list --series "$BASELINE" --json | node -e '
    const runs = require("node:fs").readFileSync(0, "utf8").trim().split("\n").filter(Boolean).map((line) => JSON.parse(line));
    console.log(runs.find(({ planned, totals }) => totals.trials >= planned)?.name ?? "");
  ')
  if [ -n "$before" ]; then
    arguments+=(--no-worse-than "$before" --by "${BY:-0.02}")
    [ -n "${WHEN_UNCLEAR:-}" ] && arguments+=(--when-unclear "$WHEN_UNCLEAR")
  else
    echo "There is no finished run of $BASELINE yet: nothing to compare with."
  fi
fi

# What broke can be said only where something is required.
summary=""
if [[ " ${arguments[*]} " == *' --fail-under '* || " ${arguments[*]} " == *' --no-worse-than '* ]]; then
  summary=$(mktemp -d)/summary.md
  arguments+=(--junit "${JUNIT:-thresholds.xml}" --summary "$summary")
  [ -n "${CODE_QUALITY:-}" ] && arguments+=(--code-quality "$CODE_QUALITY")
  [ -n "${PAGE:-}" ] && arguments+=(--page "$PAGE")
  if [ -n "${GITHUB_ACTIONS:-}" ]; then arguments+=(--annotations github); fi
  if [ -n "${TF_BUILD:-}" ]; then arguments+=(--annotations azure); fi
fi

said=$(mktemp)
jury "${arguments[@]}" 2> >(tee "$said" >&2)
code=$?
if [ -n "${TF_BUILD:-}" ] && [ -s "$summary" ]; then echo "##vso[task.uploadsummary]$summary"; fi

if [ -n "${GITHUB_STEP_SUMMARY:-}" ]; then
  if [ -s "$summary" ]; then
    cat "$summary" >>"$GITHUB_STEP_SUMMARY"
  elif [ "$code" -ne 0 ]; then
    printf '```\n%s\n```\n' "$(tail -n 20 "$said")" >>"$GITHUB_STEP_SUMMARY"
  fi
  out=$(mktemp -d)
  # What changed since the baseline, in a sentence: how the assistant did, or its judges.
  if [ -n "${before:-}" ]; then
    lead=$(jury bench compare "$before" "$run" --json 2>/dev/null | node -e '
      const text = require("node:fs").readFileSync(0, "utf8").trim();
      console.log(text === "" ? "" : (JSON.parse(text).lead ?? ""));
    ')
    if [ -n "$lead" ]; then printf '\n```\n%s\n```\n\n' "$lead" >>"$GITHUB_STEP_SUMMARY"; fi
  fi
  if jury bench report "$run" --out "$out" >/dev/null; then
    { printf '<details><summary>The whole report</summary>\n\n'; cat "$out/report.md"; printf '\n</details>\n'; } >>"$GITHUB_STEP_SUMMARY"
  fi
fi
exit "$code"

#!/bin/sh
# Brings the organization's folder up to date from its git repository, as ssdi-advocate-fetch.service. `deploy/fetch.sh URL` is the first time.
# What's in the repository can't run anything here: no hooks, submodules, links, filters, or other protocols. It can't fill the disk, either:
# git works in memory of a limited size, and only a folder of at most 200 MB is written. It's whole when the link `current` leads to it.
set -eu
folder=/srv/ssdi-advocate-site state=/var/lib/ssdi-advocate-fetch
export GIT_CONFIG_NOSYSTEM=1 GIT_CONFIG_GLOBAL=/dev/null GIT_TERMINAL_PROMPT=0 GIT_ALLOW_PROTOCOL=ssh:https
export GIT_SSH_COMMAND="ssh -i /etc/ssdi-advocate-site.key -o IdentitiesOnly=yes -o BatchMode=yes -o StrictHostKeyChecking=accept-new -o UserKnownHostsFile=$state/known_hosts"
[ -z "${1:-}" ] || echo "$1" >"$state/repository"
repository=$(cat "$state/repository")

commit=$(git ls-remote "$repository" HEAD | cut -f 1)
[ -n "$commit" ] || { echo "$repository can't be read, or is empty." >&2; exit 1; }
if [ "$commit" != "$(cat $folder/current/.git/HEAD 2>/dev/null)" ]; then
  # The unit mounts memory there.
  cd "$(mktemp -d /mnt/fetch-XXXXXX)"
  git -c init.defaultBranch=main init --quiet
  echo '* -text -ident -filter !working-tree-encoding' >.git/info/attributes
  git -c fetch.fsckObjects=true fetch --quiet --depth 1 --no-tags --no-recurse-submodules "$repository" HEAD ||
    { echo "$repository can't be fetched. Its newest commit may have 250 MB." >&2; exit 1; }
  commit=$(git rev-parse FETCH_HEAD)
  git ls-tree -r -l FETCH_HEAD | awk '{ files++; bytes += $4 } files > 5000 || bytes > 200000000 { large = 1; exit } END { exit large }' ||
    { echo "The folder at $commit has more than 200 MB or 5,000 files, so the one before stays." >&2; exit 1; }
  # Someone may still be reading the last one.
  for old in "$folder"/*; do
    case ${old##*/} in current | "$(readlink "$folder/current" || true)") ;; *) rm -rf "$old" ;; esac
  done
  mkdir -p "$folder/$commit/.git"
  git --work-tree="$folder/$commit" -c core.hooksPath=/dev/null -c core.symlinks=false -c core.fsmonitor=false checkout --quiet --force FETCH_HEAD -- .
  echo "$commit" >"$folder/$commit/.git/HEAD"
  sync -f "$folder"
  ln -sfn "$commit" "$folder/next"
  mv -T "$folder/next" "$folder/current"
fi
# If it's older than 15 minutes, there's an alert (server/alerts/publishing-watch.ts).
touch "$folder/current/.git/fetched"

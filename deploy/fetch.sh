#!/bin/sh
# Brings the organization's folder up to date from its git repository, as ssdi-advocate-fetch.service. `deploy/fetch.sh URL` makes it.
# What's in the repository can't run anything here: no hooks, submodules, links, or other protocols. Files that someone changed here go.
set -eu
folder=${SITE_FOLDER:-/srv/ssdi-advocate-site}
export GIT_CONFIG_NOSYSTEM=1 GIT_CONFIG_GLOBAL=/dev/null GIT_TERMINAL_PROMPT=0 GIT_ALLOW_PROTOCOL=ssh:https
export GIT_SSH_COMMAND="ssh -i ${SITE_KEY:-/etc/ssdi-advocate-site.key} -o IdentitiesOnly=yes -o BatchMode=yes -o StrictHostKeyChecking=accept-new -o UserKnownHostsFile=${STATE_DIRECTORY:-/var/lib/ssdi-advocate-fetch}/known_hosts"
safely() { git -C "$folder" -c core.hooksPath=/dev/null -c core.symlinks=false -c core.fsmonitor=false "$@"; }

if [ -n "${1:-}" ]; then
  safely init --quiet
  safely config remote.origin.url "$1"
fi
safely fetch --quiet --depth 1 --no-tags --no-recurse-submodules origin HEAD
safely reset --quiet --hard FETCH_HEAD
safely clean --quiet -ffd
# If it's older than 15 minutes, there's an alert (server/alerts/publishing-watch.ts).
touch "$folder/.git/fetched"

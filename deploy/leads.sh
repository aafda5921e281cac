#!/bin/sh
# Runs the `leads` command as the service's user, with its settings. release.sh installs it as /usr/local/bin/leads:
# `sudo leads doctor`, `sudo leads export > leads.csv`. Files that a command writes belong to that user. `sudo leads site check` is
# `npm run site -- check`.
program=cli/main.ts
[ "${1:-}" != site ] || { shift && program=site-folder/main.ts; }
exec runuser -u ssdi-advocate -- env SETTINGS_FILE=/etc/ssdi-advocate.env NEW_STORE_NEEDS_MARKER=yes \
  /srv/ssdi-advocate/current/node_modules/.bin/node /srv/ssdi-advocate/current/$program "$@"

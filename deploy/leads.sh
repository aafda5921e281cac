#!/bin/sh
# Runs the `leads` command as the service's user, with its settings. deploy/setup.sh installs it as /usr/local/bin/leads:
# `sudo leads doctor`, `sudo leads export > leads.csv`. Files that a command writes belong to that user.
exec runuser -u ssdi-advocate -- env SETTINGS_FILE=/etc/ssdi-advocate.env \
  /srv/ssdi-advocate/current/node_modules/.bin/node /srv/ssdi-advocate/current/cli/main.ts "$@"

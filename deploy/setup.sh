#!/bin/sh
# Sets up the site, the desk, HTTPS certificates, and backups on a Debian or Ubuntu machine.
#   sudo deploy/setup.sh --domain www.example.org --desk desk.example.org --email you@example.org
# Shows what it will do and asks for confirmation. Safe to run again: it keeps existing settings, except the hostnames.
set -eu
umask 022

usage() {
  cat <<'USAGE'
Usage: sudo deploy/setup.sh --domain NAME --email ADDRESS [--desk NAME] [--site-from URL] [--time-zone ZONE] [--yes]
                            [--dry-run]

  --domain NAME     the site's hostname, such as www.example.org
  --desk NAME       the desk's hostname, such as desk.example.org; omit it to set up the desk later
  --email ADDRESS   contact address for Let's Encrypt
  --site-from URL   the git repository with your site's folder, such as git@github.com:acme/site.git; it's fetched every 30 seconds.
                    Without it, a new folder is made, to copy files into
  --time-zone ZONE  your office's time zone, such as America/New_York; without it, you're asked
  --yes             don't ask for confirmation or the time zone
  --dry-run         print the plan and exit

Both hostnames must already point to this machine (an A or AAAA record), and ports 80 and 443 must be open. If example.org does, too,
it redirects to www.example.org (or the other way around, if the site is at example.org).
USAGE
}

die() {
  echo "setup: $*" >&2
  exit 1
}

domain='' desk='' email='' zone='' repository='' yes=no dry=no
while [ $# -gt 0 ]; do
  case $1 in
    --domain | --desk | --email | --time-zone | --site-from)
      [ $# -ge 2 ] || die "$1 needs a value."
      case $1 in --domain) domain=$2 ;; --desk) desk=$2 ;; --email) email=$2 ;; --site-from) repository=$2 ;; *) zone=$2 ;; esac
      shift
      ;;
    --yes) yes=yes ;;
    --dry-run) dry=yes ;;
    -h | --help)
      usage
      exit
      ;;
    *)
      usage >&2
      die "unknown option $1"
      ;;
  esac
  shift
done

is_hostname() { printf %s "$1" | grep -Eq '^([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,}$'; }
is_hostname "$domain" || { usage >&2; die "--domain must be a hostname such as www.example.org."; }
[ -z "$desk" ] || is_hostname "$desk" || die "--desk must be a hostname such as desk.example.org."
[ "$desk" != "$domain" ] || die "The desk needs its own hostname, because the site's pages may run third-party scripts."
case $repository in '' | https://* | ssh://* | *@*:*) ;; *) usage >&2; die "--site-from must be a URL such as git@github.com:acme/site.git." ;; esac
case $email in *?@?*.?*) ;; *) usage >&2; die "--email must be an email address." ;; esac

is_zone() {
  printf %s "$1" | grep -Eq '^[A-Z][A-Za-z_]+(/[A-Za-z_]+)+$' && { [ ! -d /usr/share/zoneinfo ] || [ -f "/usr/share/zoneinfo/$1" ]; }
}
[ -z "$zone" ] || is_zone "$zone" || die "--time-zone must be a name such as America/New_York."

# www.example.org for example.org, and the other way around. Nothing for ssdi.example.org.
other=''
case $domain in
  www.*) other=${domain#www.} ;;
  *.*.*) ;;
  *) other=www.$domain ;;
esac
[ "$other" != "$desk" ] || other=''

# For packaging and tests: a folder to use instead of /.
root=${DESTDIR:-}
source=$(cd "$(dirname "$0")/.." && pwd)
settings=$root/etc/ssdi-advocate.env
names="$domain${desk:+ $desk}"
site_folder=$root/srv/ssdi-advocate-site
# Who copies files into the site's folder.
editor=${SUDO_USER:-root}

# As the server reads it. A setting that is there twice would keep everything from starting.
line_of() { printf %s "^[[:space:]]*(export[[:space:]]+)?$1[[:space:]]*="; }
has_setting() { grep -Eqs "$(line_of "$1")" "$settings"; }
# Without quotes. Empty if it isn't there.
value_of() { sed -nE "s/$(line_of "$1")[[:space:]]*['\"]?([^'\"[:space:]]*).*/\2/p" "$settings" 2>/dev/null || true; }
# True if the setting is there, with another value.
differs() { has_setting "$1" && value=$(value_of "$1") && [ "${value%/}" != "$2" ]; }

# An installation without a folder keeps its words, also on a new machine. A run that was interrupted has left an empty one.
makes_folder=''
if [ -z "$repository" ] && ! has_setting SITE_FOLDER && { [ ! -e "$settings" ] || [ -d "$site_folder" ]; }; then
  makes_folder=yes
fi

moves=''
if differs SITE_URL "https://$domain"; then
  moves="
     - SITE_URL changes from $(value_of SITE_URL) to https://$domain. The old hostname is no longer served:
       redirect it to the new one for as long as links and ads use it"
fi
if [ -n "$desk" ] && differs DESK_URL "https://$desk"; then
  moves="$moves
     - DESK_URL changes from $(value_of DESK_URL) to https://$desk. Passkeys belong to a hostname:
       invite everyone again afterward"
fi

cat <<PLAN
This script will:
  1. install nginx, certbot, git, npm (if missing), and libatomic1 with apt-get
  2. add the system user ssdi-advocate and folders under /srv, /var/lib, and /var/backups
  3. write settings to /etc/ssdi-advocate.env (existing settings are kept)$moves
${repository:+     - fetch the folder of your site from $repository every 30 seconds
}  4. install the services, the nightly backup, a copy every 15 minutes, and the \`leads\` command
  5. build and start the site from $source
${makes_folder:+     - make the folder of your site, /srv/ssdi-advocate-site, which $editor can edit
}  6. create the key that signs contact records
  7. get certificates from Let's Encrypt for: $names${other:+, and $other if it points here}
  8. serve https://$domain${desk:+ and https://$desk} with nginx${other:+, redirect $other}, and reject other hostnames
PLAN
[ "$dry" = no ] || exit 0
[ -n "$root" ] || [ "$(id -u)" = 0 ] || die "Run this script with sudo."
[ -n "$root" ] || [ -d /run/systemd/system ] || die "This machine doesn't run systemd. See docs/machines.md for containers."
if [ "$yes" = no ]; then
  printf 'Continue? [y/N] '
  read -r answer
  case $answer in y | Y | yes) ;; *) die "Nothing was changed." ;; esac
fi

# Days and times in the desk follow this setting. A rented machine is usually set to UTC, which no office is.
if ! has_setting TIME_ZONE && [ -z "$zone" ]; then
  machine=$(timedatectl show -p Timezone --value 2>/dev/null || true)
  is_zone "$machine" || machine=''
  case $machine in Etc/*) machine='' ;; esac
  if [ "$yes" = yes ]; then
    zone=$machine
    [ -n "$zone" ] || die "This machine is set to UTC. Add your office's time zone: --time-zone America/New_York"
  fi
  while [ -z "$zone" ]; do
    echo "Your office's time zone: America/New_York, America/Chicago, America/Denver, America/Los_Angeles, …"
    printf 'Time zone%s: ' "${machine:+ [$machine]}"
    read -r zone || die "Nothing was changed."
    zone=${zone:-$machine}
    [ -z "$zone" ] || is_zone "$zone" || { echo "There's no time zone $zone."; zone=''; }
  done
fi

step() { echo "==> $*"; }

# Writes standard input to a file, under another name first: a full disk must not leave an empty one. nginx and systemd ignore the
# other name.
put() {
  new=$(dirname "$1")/.$(basename "$1").new
  cat >"$new"
  mv "$new" "$1"
}

# Keeps the existing value, if there is one.
set_default() {
  has_setting "$1" || echo "$1=$2" >>"$settings"
}
set_value() {
  ! differs "$1" "$2" || sed -i -E "s|($(line_of "$1")).*|\1$2|" "$settings"
  set_default "$1" "$2"
}

step 'Installing packages'
apt-get update -q
# A release file needs neither. Debian's npm conflicts with Node from other sources, which has its own.
building=''
[ ! -e "$source/.git" ] && [ -z "$repository" ] || building=git
[ ! -e "$source/.git" ] || command -v npm >/dev/null || building='git npm'
apt-get install -qy nginx certbot $building libatomic1

step 'Creating the user and folders'
id ssdi-advocate >/dev/null 2>&1 ||
  useradd --system --home-dir /nonexistent --shell /usr/sbin/nologin ssdi-advocate
install -d "$root/srv/ssdi-advocate/releases" "$root/var/www/acme" "$root/usr/local/bin" "$root/etc/systemd/system"
install -d -o ssdi-advocate -g ssdi-advocate -m 700 "$root/var/backups/ssdi-advocate" "$root/var/lib/ssdi-advocate"
[ -z "$makes_folder" ] || install -d -o "$editor" -m 755 "$site_folder"

# On a new machine, the key, the settings, and the backups may have been copied from the old one.
for folder in "$root/var/lib/ssdi-advocate" "$root/var/backups/ssdi-advocate"; do
  chown -R ssdi-advocate: "$folder" || echo "setup: not every file in $folder could be given to ssdi-advocate." >&2
done

step 'Writing the settings'
[ -e "$settings" ] || install -m 640 "$source/.env.example" "$settings"
chgrp ssdi-advocate "$settings"
# An editor may have left the last line without its end.
[ -z "$(tail -c 1 "$settings")" ] || echo >>"$settings"
set_value SITE_URL "https://$domain"
set_default TRUST_PROXY 127.0.0.1
set_default DATA_DIR /var/lib/ssdi-advocate
set_default ERASURE_LIST /var/backups/ssdi-advocate/erasures.txt
[ -z "$zone" ] || set_default TIME_ZONE "$zone"
[ -z "$desk" ] || set_value DESK_URL "https://$desk"

if [ -n "$repository" ]; then
  step 'Fetching the folder of your site'
  # A user of its own, whose key can only read that repository.
  fetcher=ssdi-advocate-fetch key=$root/etc/ssdi-advocate-site.key
  # Fetching deletes what isn't in the repository.
  [ -e "$site_folder/.git" ] || [ -z "$(ls -A "$site_folder" 2>/dev/null)" ] ||
    die "$site_folder has files. Put them into $repository, move the folder away, and run this script again."
  id $fetcher >/dev/null 2>&1 || useradd --system --home-dir /nonexistent --shell /usr/sbin/nologin $fetcher
  install -d -o $fetcher -g $fetcher -m 755 "$site_folder"
  install -d -o $fetcher -g $fetcher -m 700 "$root/var/lib/$fetcher"
  [ -e "$key" ] || ssh-keygen -q -t ed25519 -N '' -C "$domain" -f "$key"
  chown $fetcher: "$key"
  runuser -u $fetcher -- env SITE_FOLDER="$site_folder" SITE_KEY="$key" STATE_DIRECTORY="$root/var/lib/$fetcher" \
    "$source/deploy/fetch.sh" "$repository" ||
    die "Can't read $repository. If it needs a key, add this one there, for reading only, and run this script again:
$(cat "$key.pub")"
  set_value SITE_FOLDER /srv/ssdi-advocate-site
fi

step 'Installing the services'
for unit in "$source"/deploy/systemd/*; do
  put "$root/etc/systemd/system/$(basename "$unit")" <"$unit"
done
put "$root/usr/local/bin/leads" <"$source/deploy/leads.sh"
chmod 755 "$root/usr/local/bin/leads"
systemctl daemon-reload
systemctl enable ssdi-advocate
systemctl enable --now ssdi-advocate-backup.timer ssdi-advocate-copy.timer
[ -z "$desk" ] || systemctl enable ssdi-advocate-desk
[ -z "$repository" ] || systemctl enable --now ssdi-advocate-fetch.timer

step 'Building and starting the site'
"$source/deploy/release.sh"
if [ -n "$makes_folder" ]; then
  step 'Making the folder of your site'
  program=$root/srv/ssdi-advocate/current
  [ -e "$site_folder/organization.toml" ] ||
    runuser -u "$editor" -- "$program/node_modules/.bin/node" "$program/site-folder/main.ts" new "$site_folder" >/dev/null
  set_value SITE_FOLDER /srv/ssdi-advocate-site
  # Publishes it.
  systemctl restart ssdi-advocate
fi
[ -z "$desk" ] || systemctl restart ssdi-advocate-desk

# Otherwise, it would be created on first use, after everyone has stored their passwords.
step 'Creating the key'
"$root/usr/local/bin/leads" key || echo 'setup: there is no key yet; see the message above.' >&2

# nginx won't start if a certificate is missing, so serve plain HTTP first, for Let's Encrypt's check.
site() { echo "$root/etc/nginx/sites-enabled/$1.conf"; }
install -d "$root/etc/nginx/sites-enabled"
has_certificate() { [ -e "$root/etc/letsencrypt/live/$1/fullchain.pem" ]; }
missing=''
for name in $names $other; do
  has_certificate "$name" || missing="$missing $name"
done
# nginx's welcome page is a default server, as ours is.
[ ! -L "$root/etc/nginx/sites-enabled/default" ] || rm "$root/etc/nginx/sites-enabled/default"
if [ -n "$missing" ]; then
  step "Getting certificates for$missing"
  has_certificate "$domain" || rm -f "$(site ssdi-advocate)"
  # Without --desk, one that is already set up stays.
  [ -z "$desk" ] || has_certificate "$desk" || rm -f "$(site ssdi-advocate-desk)"
  has_certificate "$other" || rm -f "$(site ssdi-advocate-redirect)"
  put "$(site ssdi-advocate-acme)" <<ACME
server {
    listen 80;
    listen [::]:80;
    server_name$missing;
    server_tokens off;
    location ^~ /.well-known/acme-challenge/ { root /var/www/acme; }
    location / { return 503; }
}
ACME
  nginx -t
  systemctl reload nginx
  for name in $missing; do
    certbot certonly --webroot -w /var/www/acme -d "$name" --email "$email" --agree-tos --non-interactive \
      --deploy-hook 'systemctl reload nginx' || [ "$name" = "$other" ]
  done
  rm -f "$(site ssdi-advocate-acme)"
fi

step 'Configuring nginx'
sed "s/www\.example\.org/$domain/g" "$source/deploy/nginx/ssdi-advocate.conf" | put "$(site ssdi-advocate)"
[ -z "$desk" ] || sed "s/desk\.example\.org/$desk/g" "$source/deploy/nginx/ssdi-advocate-desk.conf" | put "$(site ssdi-advocate-desk)"
redirects=no
if [ -n "$other" ] && has_certificate "$other"; then
  redirects=yes
  sed -e "s/\([ /]\)example\.org/\1$other/g" -e "s/www\.example\.org/$domain/g" "$source/deploy/nginx/ssdi-advocate-redirect.conf" |
    put "$(site ssdi-advocate-redirect)"
fi
for name in default limits; do
  put "$(site "ssdi-advocate-$name")" <"$source/deploy/nginx/ssdi-advocate-$name.conf"
done
# Each connection to nginx takes up to two open files. Larger numbers are kept.
main="$root/etc/nginx/nginx.conf"
if [ -e "$main" ]; then
  sed -i -E 's/^([[:space:]]*worker_connections[[:space:]]+)[0-9]{1,3};/\18192;/' "$main"
  grep -q worker_rlimit_nofile "$main" || sed -i '/^worker_processes/a worker_rlimit_nofile 20000;' "$main"
fi
nginx -t
systemctl reload nginx

cat <<DONE

Done: https://$domain is up${desk:+, and so is https://$desk}.${makes_folder:+
Your site is the folder /srv/ssdi-advocate-site. $editor can edit it; what is saved there is live within a minute.}
DONE
if [ -n "$other" ] && [ $redirects = no ]; then
  cat <<OTHER

$other doesn't lead here, so people who type it won't find the site. Point it to this machine and run this script again.
OTHER
fi
cat <<NEXT

Next:
  - sudoedit /etc/ssdi-advocate.env       set LEAD_WEBHOOK_URL, LEAD_WEBHOOK_SECRET, and ALERT_WEBHOOK_URL,
                                          then: sudo systemctl restart ssdi-advocate${desk:+ ssdi-advocate-desk}
  - sudo leads doctor                     checks the whole installation
  - sudo leads invite "Maria Lopez" --role editor
                                          prints a sign-in link for the desk
  - copy /etc/ssdi-advocate.env and /var/lib/ssdi-advocate/erasure.key to where you keep your passwords
  - mount a separate disk or a network share at /var/backups/ssdi-advocate; if this disk fails, backups on it are lost too
NEXT

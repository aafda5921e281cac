#!/bin/sh
# Sets up the site, the desk, HTTPS certificates, and a nightly backup on a Debian or Ubuntu machine.
#   sudo deploy/setup.sh --domain www.example.org --desk desk.example.org --email you@example.org
# Shows what it will do and asks for confirmation. Safe to run again: it keeps existing settings.
set -eu
umask 022

usage() {
  cat <<'USAGE'
Usage: sudo deploy/setup.sh --domain NAME --email ADDRESS [--desk NAME] [--yes] [--dry-run]

  --domain NAME     the site's hostname, such as www.example.org
  --desk NAME       the desk's hostname, such as desk.example.org; omit it to set up the desk later
  --email ADDRESS   contact address for Let's Encrypt
  --yes             don't ask for confirmation
  --dry-run         print the plan and exit

Both hostnames must already point to this machine (an A or AAAA record), and ports 80 and 443 must be open.
USAGE
}

die() {
  echo "setup: $*" >&2
  exit 1
}

domain='' desk='' email='' yes=no dry=no
while [ $# -gt 0 ]; do
  case $1 in
    --domain | --desk | --email)
      [ $# -ge 2 ] || die "$1 needs a value."
      case $1 in --domain) domain=$2 ;; --desk) desk=$2 ;; *) email=$2 ;; esac
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
case $email in *?@?*.?*) ;; *) usage >&2; die "--email must be an email address." ;; esac

# For packaging and tests: a folder to use instead of /.
root=${DESTDIR:-}
source=$(cd "$(dirname "$0")/.." && pwd)
settings=$root/etc/ssdi-advocate.env
names="$domain${desk:+ $desk}"

cat <<PLAN
This script will:
  1. install nginx, certbot, git, npm, and libatomic1 with apt-get
  2. add the system user ssdi-advocate and folders under /srv, /var/lib, and /var/backups
  3. write settings to /etc/ssdi-advocate.env (existing settings are kept)
  4. install the services, the nightly backup, and the \`leads\` command
  5. build and start the site from $source
  6. get certificates from Let's Encrypt for: $names
  7. serve https://$domain${desk:+ and https://$desk} with nginx
PLAN
[ "$dry" = no ] || exit 0
[ -n "$root" ] || [ "$(id -u)" = 0 ] || die "Run this script with sudo."
[ -n "$root" ] || [ -d /run/systemd/system ] || die "This machine doesn't run systemd. See docs/operations.md for containers."
if [ "$yes" = no ]; then
  printf 'Continue? [y/N] '
  read -r answer
  case $answer in y | Y | yes) ;; *) die "Nothing was changed." ;; esac
fi

step() { echo "==> $*"; }

# Keeps the existing value, if there is one.
set_default() {
  grep -Eq "^$1=" "$settings" || echo "$1=$2" >>"$settings"
}

step 'Installing packages'
apt-get update -q
apt-get install -qy nginx certbot git npm libatomic1

step 'Creating the user and folders'
id ssdi-advocate >/dev/null 2>&1 ||
  useradd --system --home-dir /nonexistent --shell /usr/sbin/nologin ssdi-advocate
install -d "$root/srv/ssdi-advocate/releases" "$root/var/www/acme" "$root/usr/local/bin" "$root/etc/systemd/system"
install -d -o ssdi-advocate -g ssdi-advocate -m 700 "$root/var/backups/ssdi-advocate" "$root/var/lib/ssdi-advocate"

step 'Writing the settings'
[ -e "$settings" ] || install -m 640 -g ssdi-advocate "$source/.env.example" "$settings"
set_default SITE_URL "https://$domain"
set_default TRUST_PROXY 127.0.0.1
set_default DATA_DIR /var/lib/ssdi-advocate
set_default ERASURE_LIST /var/backups/ssdi-advocate/erasures.txt
zone=$(timedatectl show -p Timezone --value 2>/dev/null || true)
[ -z "$zone" ] || set_default TIME_ZONE "$zone"
[ -z "$desk" ] || set_default DESK_URL "https://$desk"

step 'Installing the services'
cp "$source"/deploy/systemd/* "$root/etc/systemd/system/"
install "$source/deploy/leads.sh" "$root/usr/local/bin/leads"
systemctl daemon-reload
systemctl enable ssdi-advocate
systemctl enable --now ssdi-advocate-backup.timer
[ -z "$desk" ] || systemctl enable ssdi-advocate-desk

step 'Building and starting the site'
"$source/deploy/release.sh"
[ -z "$desk" ] || systemctl restart ssdi-advocate-desk

# nginx won't start if a certificate is missing, so serve plain HTTP first, for Let's Encrypt's check.
site() { echo "$root/etc/nginx/sites-enabled/$1.conf"; }
install -d "$root/etc/nginx/sites-enabled"
missing=''
for name in $names; do
  [ -e "$root/etc/letsencrypt/live/$name/fullchain.pem" ] || missing="$missing $name"
done
if [ -n "$missing" ]; then
  step "Getting certificates for$missing"
  rm -f "$(site ssdi-advocate)" "$(site ssdi-advocate-desk)"
  cat >"$(site ssdi-advocate-acme)" <<ACME
server {
    listen 80;
    listen [::]:80;
    server_name $names;
    location ^~ /.well-known/acme-challenge/ { root /var/www/acme; }
    location / { return 503; }
}
ACME
  nginx -t
  systemctl reload nginx
  for name in $missing; do
    certbot certonly --webroot -w /var/www/acme -d "$name" --email "$email" --agree-tos --non-interactive \
      --deploy-hook 'systemctl reload nginx'
  done
  rm -f "$(site ssdi-advocate-acme)"
fi

step 'Configuring nginx'
sed "s/www\.example\.org/$domain/g" "$source/deploy/nginx/ssdi-advocate.conf" >"$(site ssdi-advocate)"
[ -z "$desk" ] || sed "s/desk\.example\.org/$desk/g" "$source/deploy/nginx/ssdi-advocate-desk.conf" >"$(site ssdi-advocate-desk)"
nginx -t
systemctl reload nginx

cat <<DONE

Done: https://$domain is up${desk:+, and so is https://$desk}.

Next:
  - sudoedit /etc/ssdi-advocate.env       set LEAD_WEBHOOK_URL, LEAD_WEBHOOK_SECRET, and ALERT_WEBHOOK_URL,
                                          then: sudo systemctl restart ssdi-advocate
  - sudo leads doctor                     checks the whole installation
  - sudo leads invite "Maria Lopez"       prints a sign-in link for the desk
  - mount a separate disk or a network share at /var/backups/ssdi-advocate; if this disk fails, backups on it are lost too
DONE

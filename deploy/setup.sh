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
  doing=''
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

source=$(cd -P "$(dirname "$0")/.." && pwd)
home=/srv/ssdi-advocate site_folder=/srv/ssdi-advocate-site
export SETTINGS_FILE=/etc/ssdi-advocate.env
[ "$(id -u)" = 0 ] || die "Run this script with sudo."
[ -d /run/systemd/system ] || die "This machine doesn't run systemd. See docs/machines.md for containers."
# Node needs it. Settings copied from another machine are read before the packages are installed below.
[ ! -e $SETTINGS_FILE ] || "$source/node_modules/.bin/node" --version >/dev/null 2>&1 || apt-get install -qy libatomic1
[ -x "$source/node_modules/node/bin/node" ] || die "This isn't an unpacked release file. Make one with \`npm run release\`, on any machine: docs/it.md."
# Who copies files into the site's folder.
editor=${SUDO_USER:-root}

settings() { "$source/node_modules/.bin/node" "$source/cli/settings.ts" $SETTINGS_FILE "$@"; }
setting() { [ ! -e $SETTINGS_FILE ] || settings get "$1"; }
. "$source/deploy/files.sh"
other=$(twin_of "$domain")
[ "$other" != "$desk" ] || other=''
names="$domain${desk:+ $desk}"

# An installation without a folder keeps its words, also on a new machine. A run that was interrupted has left an empty one.
makes_folder=''
if [ -z "$repository$(setting SITE_FOLDER)" ] && { [ ! -e $SETTINGS_FILE ] || [ -d $site_folder ]; }; then
  makes_folder=yes
fi

# moves NAME URL: whether the setting is there, with another value.
moves() { [ -n "$(setting "$1")" ] && [ "$(setting "$1" | sed 's|/$||')" != "$2" ]; }
moving=''
if moves SITE_URL "https://$domain"; then
  moving="
     - SITE_URL changes from $(setting SITE_URL) to https://$domain. The old hostname is no longer served:
       redirect it to the new one for as long as links and ads use it"
fi
if [ -n "$desk" ] && moves DESK_URL "https://$desk"; then
  moving="$moving
     - DESK_URL changes from $(setting DESK_URL) to https://$desk. Passkeys belong to a hostname:
       invite everyone again afterward"
fi

cat <<PLAN
This script will:
  1. install nginx, certbot, and libatomic1${repository:+, git, and ssh} with apt-get
  2. add system users and folders under /srv, /var/lib, and /var/backups
  3. write settings to /etc/ssdi-advocate.env (existing settings are kept)
${repository:+     - fetch the folder of your site from $repository every 30 seconds
}${makes_folder:+     - make the folder of your site, $site_folder, which $editor can edit
}  4. install and start this release, with the nightly backup, a copy every 15 minutes, and the \`leads\` command
  5. create the key that signs contact records
  6. get certificates from Let's Encrypt for: $names${other:+, and $other if it points here}$moving
  7. serve https://$domain${desk:+ and https://$desk} with nginx${other:+, redirect $other}, and reject other hostnames
PLAN
[ "$dry" = no ] || exit 0
if [ "$yes" = no ]; then
  printf 'Continue? [y/N] '
  read -r answer
  case $answer in y | Y | yes) ;; *) die "Nothing was changed." ;; esac
fi

# Days and times in the desk follow this setting. A rented machine is usually set to UTC, which no office is.
if [ -z "$zone$(setting TIME_ZONE)" ]; then
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

# A command that fails says why, but not what to do next.
again="sudo $home/current/deploy/setup.sh --domain $domain${desk:+ --desk $desk} --email $email${repository:+ --site-from $repository}"
clean_up() {
  [ -z "$doing" ] || echo "setup: \"$doing\" failed (see above). Mend that, and run this script again; it goes on from there." >&2
  [ ! -e $acme ] || { rm $acme; ! nginx -tq 2>/dev/null || systemctl reload nginx; }
  remove_prepared
}
acme=$sites/ssdi-advocate-acme.conf
trap clean_up EXIT
step() { doing=$* && echo "==> $*"; }

step 'Installing packages'
export DEBIAN_FRONTEND=noninteractive
apt-get update -q
apt-get install -qy nginx certbot libatomic1 ${repository:+git openssh-client}

step 'Creating the user and folders'
add_user() { id "$1" >/dev/null 2>&1 || useradd --system --home-dir /nonexistent --shell /usr/sbin/nologin "$1"; }
add_user ssdi-advocate
install -d $home /var/www/acme
for folder in /var/lib/ssdi-advocate /var/backups/ssdi-advocate; do
  install -d -o ssdi-advocate -g ssdi-advocate -m 700 $folder
  # On a new machine, the key, the settings, and the backups may have been copied from the old one.
  chown -R ssdi-advocate: $folder || echo "setup: not every file in $folder could be given to ssdi-advocate." >&2
done

step 'Writing the settings'
[ -e $SETTINGS_FILE ] || install -m 640 "$source/.env.example" $SETTINGS_FILE
chgrp ssdi-advocate $SETTINGS_FILE
# Hostnames change below, when there are certificates for the new ones.
settings default SITE_URL "https://$domain" TRUST_PROXY 127.0.0.1 DATA_DIR /var/lib/ssdi-advocate \
  ERASURE_LIST /var/backups/ssdi-advocate/erasures.txt ${zone:+TIME_ZONE "$zone"} ${desk:+DESK_URL "https://$desk"}

if [ -n "$repository" ]; then
  step 'Fetching the folder of your site'
  # A user of its own, whose key can only read that repository.
  fetcher=ssdi-advocate-fetch key=/etc/ssdi-advocate-site.key
  [ ! -e $site_folder ] || [ -L $site_folder/current ] || [ -z "$(ls -A $site_folder)" ] ||
    die "$site_folder has files. Put them into $repository, move the folder away, and run this script again."
  add_user $fetcher
  [ "$(stat -c %U $site_folder 2>/dev/null)" = $fetcher ] || install -d -o $fetcher -g $fetcher $site_folder
  install -d -o $fetcher -g $fetcher -m 700 /var/lib/$fetcher
  [ -e $key ] || ssh-keygen -q -t ed25519 -N '' -C "$domain" -f $key
  # What a restore has put there.
  chown -R $fetcher: $key $site_folder
  # That user may not be able to read this folder, so the script comes on standard input.
  systemd-run --quiet --wait --pipe --collect -p User=$fetcher -p TemporaryFileSystem=/mnt:size=250M,mode=1777 -p MemoryMax=400M \
    sh -s -- "$repository" <"$source/deploy/fetch.sh" ||
    die "Can't read $repository. If it needs a key, add this one there, for reading only, and run this script again:
$(cat $key.pub)"
  settings set SITE_FOLDER $site_folder/current
elif [ -n "$makes_folder" ]; then
  step 'Making the folder of your site'
  [ ! -e $site_folder ] || rmdir $site_folder || die "$site_folder has files, but SITE_FOLDER isn't set. Set it in $SETTINGS_FILE, or move the folder away."
  "$source/node_modules/.bin/node" "$source/site-folder/main.ts" new $site_folder >/dev/null
  chown -R "$editor:" $site_folder
  settings set SITE_FOLDER $site_folder
fi

step 'Starting the site'
[ "$source" = "$(realpath $home/current)" ] || "$source/deploy/release.sh"
[ -z "$repository" ] || systemctl enable --quiet --now ssdi-advocate-fetch.timer
[ -z "$desk" ] || systemctl enable --quiet --now ssdi-advocate-desk

# Otherwise, it would be created on first use, after everyone has stored their passwords.
step 'Creating the key'
leads key || echo 'setup: there is no key yet; see the message above.' >&2

# Plain HTTP for Let's Encrypt's check. What's being served stays until there are certificates.
missing=''
for name in $names $other; do
  has_certificate "$name" || missing="$missing $name"
done
if [ -n "$missing" ]; then
  step "Getting certificates for$missing"
  cat >$acme <<ACME
server {
    listen 80;
    listen [::]:80;
    server_name$missing;
    server_tokens off;
    location ^~ /.well-known/acme-challenge/ { root /var/www/acme; }
    location / { return 503; }
}
ACME
  nginx -t || die "nginx doesn't accept its configuration (see above). Mend it, and run this script again."
  systemctl reload nginx
  for name in $missing; do
    certbot certonly --webroot -w /var/www/acme -d "$name" --email "$email" --agree-tos --non-interactive \
      --deploy-hook 'systemctl reload nginx' || [ "$name" = "$other" ] ||
      die "There's no certificate for $name (see above), so nothing that's being served was changed. Check that its A and AAAA records
lead to this machine, and that port 80 is open. Then run: $again"
  done
  rm $acme
fi

step 'Configuring nginx'
if [ -n "$moving" ]; then
  settings set SITE_URL "https://$domain" ${desk:+DESK_URL "https://$desk"}
  # Publishes the new hostname.
  systemctl restart ssdi-advocate
  [ -z "$desk" ] || systemctl restart ssdi-advocate-desk
fi
prepare_files "$(realpath $home/current)" all
install_files || die "https://$domain isn't served. Mend what nginx names above, and run this script again."
doing=''

cat <<DONE

Done: https://$domain is up${desk:+, and so is https://$desk}.${makes_folder:+
Your site is the folder /srv/ssdi-advocate-site. $editor can edit it; what is saved there is live within a minute.}
DONE
if [ -n "$other" ] && ! has_certificate "$other"; then
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

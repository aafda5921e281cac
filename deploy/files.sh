# What a release has outside of its folder: systemd units, nginx files, and the `leads` command. release.sh sources this file; needs $home
# and `setting`. prepare_files writes everything that takes up space; install_files only renames, so a full disk changes nothing.
units=/etc/systemd/system sites=/etc/nginx/sites-enabled commands=/usr/local/bin

remove_prepared() {
  for folder in "$units" "$sites"; do rm -f "$folder"/.ssdi-advocate*.new "$folder"/.ssdi-advocate*.old "$folder"/.default.old; done
  rm -f "$commands/.leads.new"
}

# prepare_files RELEASE [all]: `all` also installs nginx files on a machine that has none of ours yet.
prepare_files() {
  deploy=$1/deploy
  remove_prepared
  for file in "$deploy"/systemd/*; do prepare "$file" "$units" ''; done
  cp "$deploy/leads.sh" "$commands/.leads.new"
  chmod 755 "$commands/.leads.new"
  # Units of a newer release, when going back.
  for kind in systemd nginx; do
    [ $kind = systemd ] && folder=$units || folder=$sites
    for file in "$folder"/ssdi-advocate*; do
      [ ! -f "$file" ] || [ -e "$deploy/$kind/${file##*/}" ] || ! was_shipped $kind "$file" || ln -f "$file" "$folder/.${file##*/}.old"
    done
  done
  site_host=$(host_in SITE_URL) desk_host=$(host_in DESK_URL)
  [ -n "$site_host" ] && { [ "${2:-}" = all ] || [ -e "$sites/ssdi-advocate.conf" ]; } || return 0
  twin=$(twin_of "$site_host")
  for file in "$deploy"/nginx/*; do
    case ${file##*/} in
      ssdi-advocate.conf) has_certificate "$site_host" && prepare "$file" "$sites" "s/www\.example\.org/$site_host/g" ;;
      ssdi-advocate-desk.conf) has_certificate "$desk_host" && prepare "$file" "$sites" "s/desk\.example\.org/$desk_host/g" ;;
      ssdi-advocate-redirect.conf)
        [ "$twin" != "$desk_host" ] && has_certificate "$twin" &&
          prepare "$file" "$sites" "s/\([ /]\)example\.org/\1$twin/g; s/www\.example\.org/$site_host/g"
        ;;
      ssdi-advocate-default.conf) is_ours_to_default && prepare "$file" "$sites" '' ;;
      *) prepare "$file" "$sites" '' ;;
    esac || continue
  done
}

host_in() { setting "$1" | sed -nE 's|^https://([A-Za-z0-9.-]+).*|\1|p'; }
has_certificate() { [ -n "$1" ] && [ -e "/etc/letsencrypt/live/$1/fullchain.pem" ]; }

# www.example.org for example.org, and the other way around. Nothing for ssdi.example.org.
twin_of() {
  case $1 in
    www.*) echo "${1#www.}" ;;
    *.*.*) ;;
    *) echo "www.$1" ;;
  esac
}

# nginx has one default server. Another site's, also an edited welcome page, stays.
is_ours_to_default() {
  welcome=$sites/default
  if [ -L "$welcome" ] && (cd /etc/nginx && dpkg-query -W -f='${Conffiles}\n' nginx-common 2>/dev/null |
    sed -n 's|^ /etc/nginx/\(sites-available/default\) \([0-9a-f]*\).*|\2  \1|p' | md5sum --check --status 2>/dev/null); then
    ln -f "$welcome" "$sites/.default.old"
  elif other_default=$(grep -lE '^[^#]*listen[^#]*[[:space:]]default_server' "$sites"/* /etc/nginx/conf.d/* 2>/dev/null | grep -v '/ssdi-advocate-default.conf$'); then
    echo "$other_default: has nginx's default server, so requests for hostnames that aren't ours go there." >&2
    return 1
  fi
}

# prepare FILE FOLDER SED
prepare() {
  base=${1##*/} kind=$(basename "$(dirname "$1")")
  sed "$3" "$1" >"$2/.$base.new"
  if cmp -s "$2/.$base.new" "$2/$base"; then
    rm "$2/.$base.new"
  elif [ -e "$2/$base" ] && ! was_shipped "$kind" "$2/$base"; then
    rm "$2/.$base.new"
    echo "$2/$base was edited, so it wasn't replaced. This release has a different one. Compare them, and take over what's new:" >&2
    echo "  diff $2/$base $home/current/deploy/$kind/$base" >&2
  elif [ -e "$2/$base" ]; then
    # A link takes up no space.
    ln -f "$2/$base" "$2/.$base.old"
  fi
}

# was_shipped systemd|nginx FILE: whether the file is as some version had it, with other hostnames. Otherwise, someone has edited it.
was_shipped() {
  back=''
  if [ "$1" = nginx ]; then
    own=$(sed -nE 's/^ *server_name ([A-Za-z0-9.-]+);.*/\1/p' "$2" | head -n 1)
    to=$(sed -nE 's|^ *return 308 https://([A-Za-z0-9.-]+).*|\1|p' "$2" | head -n 1)
    case ${2##*/} in *-desk.conf) name_in=desk.example.org ;; *-redirect.conf) name_in=example.org ;; *) name_in=www.example.org ;; esac
    # The longer one first: it may have the other one in it.
    [ -z "$own" ] || back="s/$own/@own@/g; s/${to:-$own}/@to@/g; s/@own@/$name_in/g; s/@to@/www.example.org/g"
    [ ${#own} -ge ${#to} ] || back="s/$to/@to@/g; s/$own/@own@/g; s/@own@/$name_in/g; s/@to@/www.example.org/g"
  fi
  sum=$(sed "$back" "$2" | sha256sum | cut -d ' ' -f 1)
  grep -Fqsx "$sum $1/${2##*/}" "$home"/releases/*/deploy/shipped
}

# Puts the prepared files in place. If nginx doesn't accept them, its files are put back: at its next start, no site of this machine would
# come up.
install_files() {
  mv "$commands/.leads.new" "$commands/leads"
  replace_in "$units"
  for each in $removed; do
    systemctl disable --quiet --now "$each" 2>/dev/null || true
    rm -f "$units/$each"
  done
  systemctl daemon-reload
  # What someone has turned off stays off.
  for each in $added; do
    case $each in
      ssdi-advocate-desk.service | ssdi-advocate-fetch.*) ;;
      *.timer) systemctl enable --quiet --now "$each" ;;
      *) ! grep -q '^\[Install\]' "$units/$each" || systemctl enable --quiet "$each" ;;
    esac
  done
  replace_in "$sites"
  for each in $removed; do rm -f "$sites/$each"; done
  [ -n "$added$replaced$removed" ] || return 0
  make_room_for_connections
  if said=$(nginx -t 2>&1); then
    systemctl reload nginx
  else
    echo "$said" >&2
    for each in $added; do rm -f "$sites/$each"; done
    for each in $replaced $removed; do mv "$sites/.$each.old" "$sites/$each"; done
    echo "nginx doesn't accept these files (see above), so the previous ones were put back." >&2
    return 1
  fi
}

# Each connection to nginx takes up to two open files. Larger numbers are kept.
make_room_for_connections() {
  main=/etc/nginx/nginx.conf
  sed -i -E 's/^([[:space:]]*worker_connections[[:space:]]+)[0-9]{1,3};/\18192;/' $main
  grep -q worker_rlimit_nofile $main || sed -i '/^worker_processes/a worker_rlimit_nofile 20000;' $main
}

# Sets $added, $replaced, and $removed: names of files.
replace_in() {
  added='' replaced='' removed=''
  for new in "$1"/.ssdi-advocate*.new; do
    [ -e "$new" ] || continue
    base=$(visible "$new")
    if [ -e "$1/.$base.old" ]; then replaced="$replaced $base"; else added="$added $base"; fi
    mv "$new" "$1/$base"
    echo "Installed $1/$base."
  done
  for old in "$1"/.ssdi-advocate*.old "$1"/.default.old; do
    [ -e "$old" ] || continue
    base=$(visible "$old")
    case " $replaced " in *" $base "*) ;; *) removed="$removed $base" ;; esac
  done
}

# NAME for FOLDER/.NAME.new
visible() { basename "${1%.*}" | cut -c 2-; }

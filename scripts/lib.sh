# shellcheck shell=sh
# What the scripts share: the packages that tesssim needs from Debian 12, and an optimised build.
# Everything is said on stderr.

# To build and run; glmark2-data holds the bunny of scenarios/bunny_lod.json.
run_packages='gcc libc6-dev meson ninja-build pkgconf libglib2.0-dev libgsl-dev libjson-c-dev libpng-dev libsqlite3-dev libcairo2-dev glmark2-data'
# To test as well: chromium, gtkwave and protobuf-compiler read back what people look at, embree is
# the second opinion on rays, jsonschema the one on schemas.
# shellcheck disable=SC2034 # scripts/test uses it
test_packages="$run_packages clang clang-format clang-tidy libclang-rt-14-dev llvm shellcheck git slurmctld slurmd slurm-client munge procps chromium gtkwave protobuf-compiler libembree-dev python3-jsonschema"

root=$(cd "$(dirname "$0")/.." && pwd)
release=$root/build/release
# shellcheck disable=SC2034 # for those who call build_release
tesssim=$release/src/cli/tesssim

say() {
  printf '%s: %s\n' "${0##*/}" "$*" >&2
}

# missing_packages PACKAGE...: those that are not installed.
missing_packages() {
  dpkg-query --show --showformat='${db:Status-Status} ${Package}\n' "$@" 2>/dev/null |
    awk -v wanted="$*" '
      $1 == "installed" { have[$2] }
      END { n = split(wanted, names); for (i = 1; i <= n; i++) if (!(names[i] in have)) print names[i] }'
}

# install_packages PACKAGE...: installs what is missing and says so; needs root for that only.
install_packages() {
  if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
    say "this is no Debian system; expecting its own packages for: $*"
    return 0
  fi
  missing=$(missing_packages "$@" | tr '\n' ' ')
  [ -n "$missing" ] || return 0
  install="apt-get install -y --no-install-recommends $missing"
  if [ "$(id -u)" -ne 0 ]; then
    say "packages are missing and only root can install them. Run as root: $install"
    return 1
  fi
  say "installing: $missing"
  # shellcheck disable=SC2086 # words on purpose
  { apt-get update -q && DEBIAN_FRONTEND=noninteractive $install; } </dev/null >&2 || {
    say "could not install: $missing"
    return 1
  }
}

# build_release TARGET...: brings these files of build/release up to date.
build_release() {
  # shellcheck disable=SC2086 # words on purpose
  install_packages $run_packages || return
  if [ ! -f "$release/build.ninja" ]; then
    say "building in $release, once"
    meson setup --buildtype=release -Db_lto=true "$release" "$root" >&2 || return
  fi
  case $(ninja -C "$release" -n "$@") in
    *'no work to do'*) ;;
    *) ninja -C "$release" "$@" >&2 ;;
  esac
}

# Shared by tools/verify and tools/test: what the project needs from Debian or Ubuntu, and how to build it.
# Sourced, not run; expects to be in the project's top folder.

packages=(g++ cmake ninja-build pkg-config librapidcheck-dev libgtest-dev libgmock-dev libmpfr-dev libgmp-dev
  nlohmann-json3-dev libcli11-dev libfmt-dev libeigen3-dev gnuplot-nox python3)

# libboost-dev can't be installed beside another version's headers, so it is asked for only where none are.
[ -e /usr/include/boost/multiprecision/mpfr.hpp ] || packages+=(libboost-dev)

missing_packages() {
  local name
  for name in "$@"; do
    dpkg-query -W -f '${Status}\n' "$name" 2>/dev/null | grep -q '^install ok installed$' || echo "$name"
  done
}

# Installs what is missing of the named packages, as root or with sudo; else says how, and fails.
install_packages() {
  local missing
  mapfile -t missing < <(missing_packages "$@")
  [ "${#missing[@]}" -eq 0 ] && return 0
  local as_root=()
  if [ "$(id -u)" -ne 0 ]; then
    if ! sudo -n true 2>/dev/null && ! { [ -t 0 ] && command -v sudo >/dev/null; }; then
      echo "These packages are missing, and only root can install them. Please run:" >&2
      echo "  apt-get install --no-install-recommends ${missing[*]}" >&2
      return 1
    fi
    as_root=(sudo)
  fi
  echo "installing ${missing[*]}"
  # A list of packages that is too old names files that are gone: refresh it once if the install fails.
  DEBIAN_FRONTEND=noninteractive "${as_root[@]}" apt-get install -y -qq --no-install-recommends "${missing[@]}" \
    >/dev/null 2>&1 && return 0
  "${as_root[@]}" apt-get update -qq &&
    DEBIAN_FRONTEND=noninteractive "${as_root[@]}" apt-get install -y -qq --no-install-recommends "${missing[@]}" \
      >/dev/null
}

# Configures and builds the named targets with a preset (default: everything). On a terminal ninja
# counts its steps in one line; elsewhere only a failure is worth printing.
build() {
  local preset=$1
  shift
  local log
  log=$(mktemp)
  if ! cmake --preset "$preset" >"$log" 2>&1; then
    cat "$log" >&2
    rm -f "$log"
    return 1
  fi
  local status=0
  if [ -t 1 ]; then
    cmake --build --preset "$preset" ${1:+--target "$@"} || status=$?
  else
    cmake --build --preset "$preset" ${1:+--target "$@"} >"$log" 2>&1 || { status=$?; cat "$log" >&2; }
  fi
  rm -f "$log"
  return "$status"
}

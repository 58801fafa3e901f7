#!/usr/bin/env bash
# build-docs.sh BUILD: makes a site of the pages in BUILD/site, with warnings as errors, by Sphinx in a virtual environment of
# its own, BUILD/docs-venv, which it makes with pip from docs/requirements.txt. Nothing of TileIR has to be built.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
build=${1:?usage: build-docs.sh BUILD}
python=${PYTHON:-python3} venv=$build/docs-venv site=$build/site log=$build/docs.log
mkdir -p "$build"

if ! cmp -s docs/requirements.txt "$venv/requirements.txt"; then
  echo "[docs] installing Sphinx into $venv"
  rm -rf "$venv"
  {
    "$python" -m venv "$venv"
    "$venv/bin/pip" install --disable-pip-version-check -r docs/requirements.txt
  } >"$log" 2>&1 || {
    cat "$log" >&2
    echo "[docs] error: Sphinx cannot be installed: expected venv (Debian's python3-venv) and a network for pip" >&2
    exit 1
  }
  cp docs/requirements.txt "$venv/requirements.txt"
fi

rm -rf "$site"
"$venv/bin/sphinx-build" -q -W --keep-going -b html -c docs -d "$build/site-trees" . "$site" || {
  echo "[docs] error: the pages have warnings" >&2
  exit 1
}
# Pages lie where they lie in the repository.
cat >"$site/index.html" <<'END'
<!doctype html>
<meta charset="utf-8">
<title>TileIR</title>
<meta http-equiv="refresh" content="0; url=docs/index.html">
<a href="docs/index.html">TileIR</a>
END
echo "[docs] $(find "$site" -name '*.html' | wc -l) pages in $site"

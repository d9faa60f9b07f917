# How a far end begins, and how it ends itself; the script that follows answers the requests.
#
#   sh -c SCRIPT milepost NONCE PATH PATIENCE
#
# NONCE marks every line that is ours and, as MILEPOST in the environment, every process. PATH is what is followed.
# After PATIENCE to twice PATIENCE seconds without a request it ends itself, because a network that was cut in silence
# never closes standard input.
LC_ALL=C MILEPOST=$1
export LC_ALL MILEPOST
mark="@$1@" path=$2 patience=$3 self=$$

answer() {
	echo "$mark $*"
}

# Ends the script when requests stop; each one sends it USR1. Standard streams are not held open. Where the script was
# killed before, what it has started is ended here, if that is a process group of its own, as in a session of sshd.
watch() {
	trap 'fed=1' USR1
	trap 'kill -9 $!; exit 0' TERM
	answer ready $can_ring
	exec </dev/null >/dev/null 2>&1
	while :; do
		fed=
		sleep "$patience" &
		while :; do
			wait $!
			[ $? -gt 128 ] && kill -0 $! || break
		done
		[ "$fed" ] || break
	done
	parent=$self group=
	read -r _ _ _ parent group _ </proc/self/stat
	if [ "$parent" != "$self" ]; then
		[ "$group" != "$self" ] || kill -9 0
		exit 0
	fi
	kill "$self"
	sleep 2 &
	wait $!
	kill -9 "$self"
}

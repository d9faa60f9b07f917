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

# Where the script is there no more, ends all that it has started, the watch too: its process group, if that is its own,
# as in a session of sshd, and whatever has its mark in its environment. /proc may count in other numbers than we do.
sweep() {
	parent=$born group=
	read -r mine _ _ parent group _ </proc/self/stat
	[ "$parent" != "$born" ] || return 0
	[ "$group" != "$self" ] || kill -9 0
	for each in $(grep -ls "MILEPOST=$MILEPOST" /proc/[0-9]*/environ); do
		each=${each#/proc/}
		[ "${each%/*}" = "$mine" ] || kill -9 "${each%/*}"
	done
	exit 0
}

# Takes as long as patience is, but no longer than the script is there where tail can tell that: GNU's looks every two
# seconds, and needs no new process for it.
rest() {
	timeout "$patience" tail --pid="$self" -s 2 -f /dev/null || [ $? = 124 ] || exec sleep "$patience"
}

# Ends the script when requests stop; each one sends it USR1. Standard streams are not held open.
watch() {
	trap 'fed=1' USR1
	trap 'kill -9 $!; exit 0' TERM
	answer ready $can_ring
	exec </dev/null >/dev/null 2>&1
	born=
	read -r _ _ _ born _ </proc/self/stat
	while :; do
		fed=
		rest &
		while :; do
			wait $!
			[ $? -gt 128 ] && kill -0 $! || break
		done
		sweep
		[ "$fed" ] || break
	done
	kill "$self"
	sleep 2 &
	wait $!
	kill -9 "$self"
}

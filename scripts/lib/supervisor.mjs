// Runs a program, starts it again when it dies, and ends it in order. Plain enough for Node 20.

const RESTART_MS = [500, 1_000, 2_000, 5_000, 15_000, 60_000]
/** After running this long, a crash is not a start-up failure: the restart delay is reset to the shortest. */
const STABLE_MS = 60_000

/**
 * Whether a program that ended is to be started again. `isFinal`: it has said that it will not run as it was started
 * (a wrong setting, a taken port), or that it stops because somebody asked it to.
 */
export function isCrash({ code, signal, hasListened, isFinal }) {
  // A server that never listened has just printed the reason; another attempt would fail the same way.
  if (isFinal || !hasListened) return false
  return signal !== null || code !== 0
}

/** How long to wait before the next start, after `failures` deaths in a row. */
export function restartPause(failures) {
  return RESTART_MS[Math.min(failures, RESTART_MS.length - 1)]
}

/**
 * Keeps one child running. `launch` starts it; `shouldRestart` looks at how it ended; `onGone` is called when it ended
 * and is not started again. Messages go to standard error.
 */
export function superviseChild({ name, launch, shouldRestart, onGone, say = console.error, clock = Date.now }) {
  let child = null
  let timer = null
  let isStopping = false
  let isRestarting = false

  const run = (failures) => {
    const startedAt = clock()
    const current = launch()
    child = current
    let hasEnded = false
    /** @param {{ code?: number | null, signal?: string | null, error?: Error | null }} how */
    const onEnd = ({ code = null, signal = null, error = null }) => {
      if (hasEnded) return
      hasEnded = true
      child = null
      const end = { code, signal, error }
      if (isRestarting && !isStopping && error === null) {
        isRestarting = false
        run(0)
        return
      }
      if (isStopping || !shouldRestart(end)) {
        onGone(end)
        return
      }
      const count = clock() - startedAt > STABLE_MS ? 0 : failures
      const pauseMs = restartPause(count)
      const reason = error?.message ?? (signal === null ? `exit code ${code}` : `signal ${signal}`)
      say(`${name} ended (${reason}); it starts again in ${pauseMs / 1_000} s.`)
      timer = setTimeout(() => {
        timer = null
        run(count + 1)
      }, pauseMs)
    }
    current.once('exit', (code, signal) => onEnd({ code, signal }))
    current.once('error', (error) => onEnd({ error }))
  }
  run(0)

  return {
    /** Stops the child cleanly and restarts it at once; a child waiting for its next start is started now. */
    restart: () => {
      if (isStopping || isRestarting) return
      if (child !== null) {
        isRestarting = true
        child.kill('SIGTERM')
        return
      }
      if (timer !== null) clearTimeout(timer)
      timer = null
      run(0)
    },
    /** Passes the signal on and stops restarting; `onGone` is called afterwards. */
    stop: (signal) => {
      const wasStopping = isStopping
      isStopping = true
      if (child !== null) {
        child.kill(signal)
        return
      }
      if (timer !== null) clearTimeout(timer)
      timer = null
      if (!wasStopping) onGone({ code: 0, signal: null, error: null })
    },
  }
}

const PARENT_CHECK_MS = 1_000

/**
 * Calls `onGone` once the process that started this one has ended: a shell between npm and this process dies of a
 * signal without passing it on.
 */
export function watchParent(onGone) {
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    onGone()
  }, PARENT_CHECK_MS)
  timer.unref()
}

import { useEffect, useState } from 'react'
import { t } from '#kit/i18n/index.ts'
import { useLiveStatus } from '#kit/live/socket.ts'
import { dateTime } from '#kit/format.ts'
import type { VehicleStore } from './store.ts'

/** Short interruptions are not shown; the first connection takes a moment too. */
const graceMs = 2_000
const tickMs = 1_000

/** States that the map is not being updated, and since when. */
export function ConnectionNote({ store }: { store: VehicleStore }) {
  const { state } = useLiveStatus()
  const open = state === 'open'
  const [lost, setLost] = useState({ sinceMs: 0, nowMs: 0 })
  useEffect(() => {
    if (open) return
    const since = Date.now()
    const timer = setInterval(() => setLost({ sinceMs: since, nowMs: Date.now() }), tickMs)
    return () => {
      clearInterval(timer)
      setLost({ sinceMs: 0, nowMs: 0 })
    }
  }, [open])

  if (open || lost.nowMs - lost.sinceMs < graceMs) return null
  const updatedAt = store.updatedAt()
  const seconds = updatedAt === null ? 0 : Math.round((lost.nowMs - updatedAt) / 1000)
  return (
    <output className="om-note">
      <span className="om-note-dot" aria-hidden="true" />
      {updatedAt === null
        ? t('尚未连上实时数据，正在重试…')
        : t('实时连接已断开，车辆停在 {{time}}（{{seconds}} 秒前），正在重连…', {
            time: dateTime(updatedAt).slice(11),
            seconds,
          })}
    </output>
  )
}

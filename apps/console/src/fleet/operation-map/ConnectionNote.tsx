import { useEffect, useState } from 'react'
import { t } from '#kit/i18n/index.ts'
import { useLiveStatus } from '#kit/live/socket.ts'
import { dateTime } from '#kit/format.ts'
import type { VehicleStore } from './store.ts'

/** A short break is nobody's concern; the first connection takes a moment too. */
const graceMs = 2_000
const tickMs = 1_000

/** Says plainly that the picture stands still, and since when. */
export function ConnectionNote({ store }: { store: VehicleStore }) {
  const { state } = useLiveStatus()
  const open = state === 'open'
  const [lostMs, setLostMs] = useState(0)
  useEffect(() => {
    if (open) return
    const since = Date.now()
    const timer = setInterval(() => setLostMs(Date.now() - since), tickMs)
    return () => {
      clearInterval(timer)
      setLostMs(0)
    }
  }, [open])

  if (open || lostMs < graceMs) return null
  const updatedAt = store.updatedAt()
  const seconds = updatedAt === null ? 0 : Math.round((Date.now() - updatedAt) / 1000)
  return (
    <p className="om-note" role="status">
      <span className="om-note-dot" aria-hidden="true" />
      {updatedAt === null
        ? t('尚未连上实时数据，正在重试…')
        : t('实时连接已断开，车辆停在 {{time}}（{{seconds}} 秒前），正在重连…', {
            time: dateTime(updatedAt).slice(11),
            seconds,
          })}
    </p>
  )
}

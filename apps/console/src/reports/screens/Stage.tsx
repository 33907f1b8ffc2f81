import { useEffect, useRef, useState, type CSSProperties, type ReactNode } from 'react'
import './wall.css'
import { stageSize, StageScale } from './stageSize.ts'

/** Draws its content for 1920 × 1080 and scales it as a whole to whatever room there is. */
export function Stage({ children, label }: { readonly children: ReactNode; readonly label: string }): ReactNode {
  const host = useRef<HTMLElement>(null)
  const [room, setRoom] = useState<{ readonly scale: number; readonly x: number; readonly y: number } | null>(null)
  useEffect(() => {
    const node = host.current
    if (node === null) return
    const observer = new ResizeObserver(() => {
      const { clientWidth: width, clientHeight: height } = node
      if (width === 0 || height === 0) return
      const scale = Math.min(width / stageSize.width, height / stageSize.height)
      setRoom({ scale, x: (width - stageSize.width * scale) / 2, y: (height - stageSize.height * scale) / 2 })
    })
    observer.observe(node)
    return () => observer.disconnect()
  }, [])
  const style: CSSProperties =
    room === null ? { visibility: 'hidden' } : { transform: `translate(${room.x}px, ${room.y}px) scale(${room.scale})` }
  return (
    <section ref={host} className="wall" aria-label={label}>
      <div className="wall-stage" style={style}>
        <StageScale value={room?.scale ?? 1}>{children}</StageScale>
      </div>
    </section>
  )
}

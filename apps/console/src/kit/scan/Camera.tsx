import { useEffect, useRef, useState, type ReactNode } from 'react'
import { t } from '#kit/i18n/index.ts'
import { notify } from '#kit/notify.ts'
import { Button } from '#kit/plain/Button.tsx'
import { openDetector, type Detector } from './detector.ts'
import './scan.css'

const lookEveryMs = 250

/** TypeScript does not know yet that phones have one. */
type TorchConstraint = MediaTrackConstraintSet & { readonly torch: boolean }

interface CameraProps {
  /** What to hold into the picture. */
  readonly says: string
  /** Other codes than squares, where the browser can read them. */
  readonly hasBars?: boolean
  readonly onCode: (code: string) => boolean
  readonly onClose: () => void
}

/** The camera's picture; `onCode` says whether a code was what is looked for. */
export function Camera({ says, hasBars = false, onCode, onClose }: CameraProps): ReactNode {
  const video = useRef<HTMLVideoElement>(null)
  const [torch, setTorch] = useState<{ readonly track: MediaStreamTrack; readonly isOn: boolean } | null>(null)
  const latest = useRef({ onCode, onClose })
  useEffect(() => {
    latest.current = { onCode, onClose }
  })
  useEffect(() => {
    const screen = video.current
    if (screen === null) return
    let stream: MediaStream | null = null
    let isOver = false
    let timer: ReturnType<typeof setTimeout> | undefined
    const stop = (): void => {
      for (const track of stream?.getTracks() ?? []) track.stop()
    }
    const look = async (detector: Detector): Promise<void> => {
      const codes = screen.readyState < 2 ? [] : await detector.detect(screen).catch(() => [])
      if (isOver) return
      if (codes.some(({ rawValue }) => latest.current.onCode(rawValue))) navigator.vibrate?.(60)
      else timer = setTimeout(() => void look(detector), lookEveryMs)
    }
    const begin = async (): Promise<void> => {
      const [opened, detector] = await Promise.all([
        navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment' } }),
        openDetector({ hasBars }),
      ])
      stream = opened
      if (isOver) return stop()
      const track = opened.getVideoTracks().find((one) => 'torch' in one.getCapabilities())
      if (track !== undefined) setTorch({ track, isOn: false })
      screen.srcObject = opened
      await screen.play()
      await look(detector)
    }
    begin().catch(() => {
      if (isOver) return
      notify.warning({ text: t('无法使用相机，请输入编号') })
      latest.current.onClose()
    })
    return () => {
      isOver = true
      clearTimeout(timer)
      stop()
    }
  }, [hasBars])
  const light = async (): Promise<void> => {
    if (torch === null) return
    const isOn = !torch.isOn
    const wanted: TorchConstraint = { torch: isOn }
    await torch.track.applyConstraints({ advanced: [wanted] }).catch(() => null)
    setTorch({ ...torch, isOn })
  }
  return (
    <div className="scan-camera">
      <video ref={video} muted playsInline aria-label={t('相机画面')} />
      <p className="scan-hint">{says}</p>
      <div className="scan-acts">
        {torch !== null && (
          <Button onClick={() => void light()}>{torch.isOn ? t('关闭手电筒') : t('打开手电筒')}</Button>
        )}
        <Button onClick={onClose}>{t('关闭相机')}</Button>
      </div>
    </div>
  )
}

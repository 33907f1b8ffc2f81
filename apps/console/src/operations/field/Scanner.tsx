import { useEffect, useRef, useState, type ReactNode } from 'react'
import { t } from '#kit/i18n/index.ts'
import { notify } from '#kit/notify.ts'
import { Button } from '#kit/plain/Button.tsx'
import { hasCamera, openDetector, type Detector } from './detector.ts'
import { numberOfCode } from './rules.ts'

interface Props {
  readonly onNumber: (number: string) => void
}

const lookEveryMs = 250

/** The number on the vehicle: scanned with the camera if there is one, otherwise typed. */
export function Scanner({ onNumber }: Props): ReactNode {
  const [isScanning, setScanning] = useState(false)
  const [text, setText] = useState('')
  const take = (code: string): boolean => {
    const number = numberOfCode(code)
    if (number === null) return false
    setScanning(false)
    setText(number)
    onNumber(number)
    return true
  }
  return (
    <div className="field-scan">
      {isScanning ? (
        <Camera onCode={take} onClose={() => setScanning(false)} />
      ) : (
        hasCamera() && (
          <Button look="primary" wide onClick={() => setScanning(true)}>
            {t('扫描车上的二维码')}
          </Button>
        )
      )}
      {!hasCamera() && <p className="field-hint">{t('这里不能使用相机，请输入车身上的编号')}</p>}
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (!take(text)) notify.warning({ text: t('请输入车身上的编号，例如 SD100001') })
        }}
      >
        <input
          value={text}
          maxLength={120}
          autoCapitalize="characters"
          autoComplete="off"
          aria-label={t('车辆编号')}
          placeholder={t('车辆编号')}
          onChange={(event) => setText(event.target.value)}
        />
        <Button type="submit">{t('确定')}</Button>
      </form>
    </div>
  )
}

/** TypeScript does not know yet that phones have one. */
type TorchConstraint = MediaTrackConstraintSet & { readonly torch: boolean }

interface CameraProps {
  readonly onCode: (code: string) => boolean
  readonly onClose: () => void
}

function Camera({ onCode, onClose }: CameraProps) {
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
        openDetector(),
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
      notify.warning({ text: t('无法使用相机，请输入车辆编号') })
      latest.current.onClose()
    })
    return () => {
      isOver = true
      clearTimeout(timer)
      stop()
    }
  }, [])
  const light = async (): Promise<void> => {
    if (torch === null) return
    const isOn = !torch.isOn
    const wanted: TorchConstraint = { torch: isOn }
    await torch.track.applyConstraints({ advanced: [wanted] }).catch(() => null)
    setTorch({ ...torch, isOn })
  }
  return (
    <div className="field-camera">
      <video ref={video} muted playsInline aria-label={t('相机画面')} />
      <p className="field-hint">{t('把车上的二维码放进画面')}</p>
      <div className="field-acts">
        {torch !== null && (
          <Button onClick={() => void light()}>{torch.isOn ? t('关闭手电筒') : t('打开手电筒')}</Button>
        )}
        <Button onClick={onClose}>{t('关闭相机')}</Button>
      </div>
    </div>
  )
}

import { useEffect, useRef, useState, type ReactNode } from 'react'
import { t } from '#kit/i18n/index.ts'
import { notify } from '#kit/notify.ts'
import { Button } from '#kit/plain/Button.tsx'
import { numberOfCode } from './rules.ts'

interface Props {
  readonly onNumber: (number: string) => void
}

/** What some browsers have and TypeScript does not know yet. */
interface Detector {
  detect(source: HTMLVideoElement): Promise<readonly { readonly rawValue: string }[]>
}
type DetectorClass = new (options: { readonly formats: readonly string[] }) => Detector

const lookEveryMs = 250

function detectorClass(): DetectorClass | null {
  const found: unknown = Reflect.get(globalThis, 'BarcodeDetector')
  const hasCamera = typeof navigator.mediaDevices?.getUserMedia === 'function'
  return typeof found === 'function' && hasCamera ? (found as DetectorClass) : null
}

/** The number on the vehicle: from its code by the camera where the browser reads codes, else typed. */
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
        detectorClass() !== null && (
          <Button look="primary" wide onClick={() => setScanning(true)}>
            {t('扫描车上的二维码')}
          </Button>
        )
      )}
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

function Camera({ onCode, onClose }: { readonly onCode: (code: string) => boolean; readonly onClose: () => void }) {
  const video = useRef<HTMLVideoElement>(null)
  const take = useRef(onCode)
  useEffect(() => {
    take.current = onCode
  }, [onCode])
  const close = useRef(onClose)
  useEffect(() => {
    const Detect = detectorClass()
    const screen = video.current
    if (Detect === null || screen === null) return
    const detector = new Detect({ formats: ['qr_code'] })
    let stream: MediaStream | null = null
    let isOver = false
    const look = async (): Promise<void> => {
      if (screen.readyState < 2) return
      const codes = await detector.detect(screen).catch(() => [])
      for (const { rawValue } of codes) if (!isOver && take.current(rawValue)) return
    }
    const timer = setInterval(() => void look(), lookEveryMs)
    const begin = async (): Promise<void> => {
      stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment' } })
      if (isOver) return stop()
      screen.srcObject = stream
      await screen.play()
    }
    const stop = (): void => {
      for (const track of stream?.getTracks() ?? []) track.stop()
    }
    begin().catch(() => {
      if (isOver) return
      notify.warning({ text: t('无法使用相机，请输入车辆编号') })
      close.current()
    })
    return () => {
      isOver = true
      clearInterval(timer)
      stop()
    }
  }, [])
  return (
    <div className="field-camera">
      <video ref={video} muted playsInline aria-label={t('相机画面')} />
      <Button onClick={onClose}>{t('关闭相机')}</Button>
    </div>
  )
}

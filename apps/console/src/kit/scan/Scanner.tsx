import { useState, type ReactNode } from 'react'
import { t } from '#kit/i18n/index.ts'
import { notify } from '#kit/notify.ts'
import { Button } from '#kit/plain/Button.tsx'
import { Camera } from './Camera.tsx'
import { numberOfCode } from './codes.ts'
import { hasCamera } from './detector.ts'
import './scan.css'

interface Props {
  readonly onNumber: (number: string) => void
  /** The camera is what the person came for. */
  readonly isOpen?: boolean
}

/** The number on the vehicle: scanned with the camera if there is one, otherwise typed. */
export function Scanner({ onNumber, isOpen = false }: Props): ReactNode {
  const [isScanning, setScanning] = useState(() => isOpen && hasCamera())
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
    <div className="scan">
      {isScanning ? (
        <Camera says={t('把车上的二维码放进画面')} onCode={take} onClose={() => setScanning(false)} />
      ) : (
        hasCamera() && (
          <Button look="primary" wide onClick={() => setScanning(true)}>
            {t('扫描车上的二维码')}
          </Button>
        )
      )}
      {!hasCamera() && <p className="scan-hint">{t('这里不能使用相机，请输入车身上的编号')}</p>}
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

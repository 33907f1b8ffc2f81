import { useState, type ReactNode } from 'react'
import type { Field } from '#kit/form/field.ts'
import { t } from '#kit/i18n/index.ts'
import { Button } from '#kit/plain/Button.tsx'
import { Camera } from './Camera.tsx'
import { hasCamera } from './detector.ts'
import './scan.css'

/** A field of a text that can also be read from a label with the camera; `take` says what of a code belongs into it. */
export function scannedText<I>(field: Field<string, I>, take: (code: string) => string | null): Field<string, I> {
  return {
    ...field,
    control: (props) => (
      <Scanned
        label={props.label}
        input={field.control(props)}
        take={take}
        onChange={(value) => props.onChange(value)}
      />
    ),
  }
}

interface ScannedProps {
  readonly label: string
  readonly input: ReactNode
  readonly take: (code: string) => string | null
  readonly onChange: (value: string) => void
}

function Scanned({ label, input, take, onChange }: ScannedProps) {
  const [isScanning, setScanning] = useState(false)
  if (!hasCamera()) return input
  const see = (code: string): boolean => {
    const found = take(code)
    if (found === null) return false
    onChange(found)
    setScanning(false)
    return true
  }
  return (
    <div className="scan-field">
      <span>
        {input}
        {!isScanning && (
          <Button aria-label={t('用相机扫描{{label}}', { label })} onClick={() => setScanning(true)}>
            {t('扫描')}
          </Button>
        )}
      </span>
      {isScanning && (
        <Camera
          says={t('把标签上的{{label}}放进画面', { label })}
          hasBars
          onCode={see}
          onClose={() => setScanning(false)}
        />
      )}
    </div>
  )
}

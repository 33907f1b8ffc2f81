import { useState } from 'react'
import type { Common, ControlProps, Field } from '#kit/form/field.ts'
import { t } from '#kit/i18n/index.ts'

interface Picked {
  readonly name: string
  readonly text: string
}

/** A file of text; nothing is sent without one. It is too large for a draft. */
export function textFile(options: Common & { readonly accept: string }): Field<Picked | null, string | undefined> {
  const { accept, ...rest } = options
  return {
    ...rest,
    initial: null,
    isSecret: true,
    isGroup: true,
    read: (value, { maxLength }) =>
      maxLength !== undefined && value !== null && value.text.length > maxLength
        ? { fault: t('文件太大') }
        : { value: value?.text },
    control: (props) => <FilePicker {...props} accept={accept} />,
  }
}

type PickerProps = ControlProps<Picked | null> & { readonly accept: string }

function FilePicker({ id, label, value, onChange, describedBy, accept }: PickerProps) {
  const [isBusy, setIsBusy] = useState(false)
  const pick = async (file: File | undefined): Promise<void> => {
    if (file === undefined) return onChange(null)
    setIsBusy(true)
    try {
      onChange({ name: file.name, text: await file.text() })
    } finally {
      setIsBusy(false)
    }
  }
  return (
    <span className="form-choices">
      <input
        id={id}
        type="file"
        accept={accept}
        aria-label={label}
        aria-describedby={describedBy}
        aria-busy={isBusy}
        onChange={({ target }) => void pick(target.files?.[0])}
      />
      {value !== null && <small className="form-hint">{t('已选择 {{name}}', { name: value.name })}</small>}
    </span>
  )
}

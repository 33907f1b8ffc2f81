import { useState } from 'react'
import { base64Of } from '#kit/base64.ts'
import type { Common, ControlProps, Field } from '#kit/form/field.ts'
import { t } from '#kit/i18n/index.ts'

interface Picked {
  readonly name: string
  readonly base64: string
}

/** A file of a bill, packed before it is sent unless it is already. It is too large for a draft. */
export function billFile(options: Common & { readonly max: number }): Field<Picked | null, string> {
  const { max, ...rest } = options
  return {
    ...rest,
    initial: null,
    isSecret: true,
    isGroup: true,
    read: (value) => {
      if (value === null) return { fault: t('请选择{{label}}', { label: rest.label }) }
      return value.base64.length > max ? { fault: t('文件太大，请等待自动下载') } : { value: value.base64 }
    },
    control: (props) => <FilePicker {...props} />,
  }
}

function FilePicker({ id, label, value, onChange, describedBy }: ControlProps<Picked | null>) {
  const [isBusy, setIsBusy] = useState(false)
  const pick = async (file: File | undefined): Promise<void> => {
    if (file === undefined) return
    setIsBusy(true)
    try {
      onChange({ name: file.name, base64: await packed(file) })
    } finally {
      setIsBusy(false)
    }
  }
  return (
    <span className="form-choices">
      <input
        id={id}
        type="file"
        accept=".csv,.gz,.zip"
        aria-label={label}
        aria-describedby={describedBy}
        aria-busy={isBusy}
        onChange={({ target }) => void pick(target.files?.[0])}
      />
      {value !== null && <small className="form-hint">{t('已选择 {{name}}', { name: value.name })}</small>}
    </span>
  )
}

const isPacked = (name: string): boolean => /\.(?:gz|zip)$/i.test(name)

async function packed(file: File): Promise<string> {
  const stream = isPacked(file.name) ? file.stream() : file.stream().pipeThrough(new CompressionStream('gzip'))
  return base64Of(new Uint8Array(await new Response(stream).arrayBuffer()))
}

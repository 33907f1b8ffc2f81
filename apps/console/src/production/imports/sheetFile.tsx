import { base64Of } from '#kit/base64.ts'
import { importBytesMax } from '@saddle/contract/production/importWords.ts'
import type { Common, ControlProps, Field } from '#kit/form/field.ts'
import { t } from '#kit/i18n/index.ts'

interface PickedSheet {
  readonly name: string
  readonly bytes: number
  readonly base64: string
}

/** A file of vehicles. It is too large for a draft. */
export function sheetFile(options: Common): Field<PickedSheet | null, PickedSheet> {
  return {
    ...options,
    initial: null,
    isSecret: true,
    isGroup: true,
    read: (value) => {
      if (value === null) return { fault: t('请选择{{label}}', { label: options.label }) }
      return value.bytes > importBytesMax
        ? { fault: t('文件超过 {{mib}} MB，请分成几个文件', { mib: importBytesMax / 1_048_576 }) }
        : { value }
    },
    control: (props) => <Picker {...props} />,
  }
}

/** A text travels compressed: 100,000 vehicles are a third of their size. */
async function packed(file: File): Promise<Uint8Array> {
  const stream = /\.xlsx$/i.test(file.name) ? file.stream() : file.stream().pipeThrough(new CompressionStream('gzip'))
  return new Uint8Array(await new Response(stream).arrayBuffer())
}

function Picker(props: ControlProps<PickedSheet | null>) {
  const { id, label, value, onChange, describedBy } = props
  const pick = async (file: File | undefined): Promise<void> => {
    if (file === undefined) return
    const bytes = await packed(file)
    // A longer one is refused anyway, and would only fill the memory.
    const base64 = bytes.length > importBytesMax ? '' : base64Of(bytes)
    onChange({ name: file.name.slice(-80), bytes: bytes.length, base64 })
  }
  return (
    <span className="form-choices">
      <input
        id={id}
        type="file"
        accept=".xlsx,.csv,.txt"
        aria-label={label}
        aria-describedby={describedBy}
        onChange={({ target }) => void pick(target.files?.[0])}
      />
      {value !== null && <small className="form-hint">{t('已选择 {{name}}', { name: value.name })}</small>}
    </span>
  )
}

import { base64Of } from '#kit/base64.ts'
import type { Common, ControlProps, Field } from '#kit/form/field.ts'
import { t } from '#kit/i18n/index.ts'

interface Picked {
  readonly name: string
  readonly bytes: number
  readonly base64: string
}

/** The file of an artefact. It is too large for a draft. */
export function artefactFile(
  options: Common & { readonly maxBytes: number; readonly accept: string },
): Field<Picked | null, string> {
  const { maxBytes, accept, ...rest } = options
  return {
    ...rest,
    initial: null,
    isSecret: true,
    isGroup: true,
    read: (value) => {
      if (value === null) return { fault: t('请选择{{label}}', { label: rest.label }) }
      return value.bytes > maxBytes
        ? { fault: t('文件超过 {{kib}} KB', { kib: maxBytes / 1024 }) }
        : { value: value.base64 }
    },
    control: (props) => <FilePicker {...props} accept={accept} />,
  }
}

function FilePicker(props: ControlProps<Picked | null> & { readonly accept: string }) {
  const { id, label, value, onChange, describedBy, accept } = props
  const pick = async (file: File | undefined): Promise<void> => {
    if (file === undefined) return
    const bytes = new Uint8Array(await file.arrayBuffer())
    onChange({ name: file.name, bytes: bytes.length, base64: base64Of(bytes) })
  }
  return (
    <span className="form-choices">
      <input
        id={id}
        type="file"
        accept={accept}
        aria-label={label}
        aria-describedby={describedBy}
        onChange={({ target }) => void pick(target.files?.[0])}
      />
      {value !== null && <small className="form-hint">{t('已选择 {{name}}', { name: value.name })}</small>}
    </span>
  )
}

import { useState } from 'react'
import { sheetBytesMax } from '@saddle/contract/sheets.ts'
import { base64Of } from '#kit/base64.ts'
import { t } from '#kit/i18n/index.ts'
import type { Common, ControlProps, Field } from './field.ts'

export interface PickedFile {
  readonly name: string
  /** As it travels. */
  readonly bytes: number
  /** Empty where the file is too large to be sent. */
  readonly base64: string
}

interface Options extends Common {
  /** Endings that the browser offers, separated by commas. */
  readonly accept: string
  readonly bytesMax: number
  readonly tooLarge: string
  /** Names of files that are sent packed (gzip), as text is; none without it. */
  readonly packs?: RegExp
}

/** A file that a call takes in base64. It is too large for a draft. */
export function pickedFile(options: Options): Field<PickedFile | null, PickedFile> {
  const { accept, bytesMax, tooLarge, packs, ...rest } = options
  return {
    ...rest,
    initial: null,
    isSecret: true,
    isGroup: true,
    read: (value) => {
      if (value === null) return { fault: t('请选择{{label}}', { label: rest.label }) }
      return value.bytes > bytesMax ? { fault: tooLarge } : { value }
    },
    control: (props) => <Picker {...props} accept={accept} bytesMax={bytesMax} packs={packs} />,
  }
}

/** A workbook or a CSV text of rows; 100,000 vehicles are a third of their size when packed. */
export const sheetFile = (options: Common): Field<PickedFile | null, PickedFile> =>
  pickedFile({
    ...options,
    accept: '.xlsx,.csv,.txt',
    bytesMax: sheetBytesMax,
    tooLarge: t('文件超过 {{mib}} MB，请分成几个文件', { mib: sheetBytesMax / 1_048_576 }),
    packs: /(?<!\.xlsx)$/i,
  })

type PickerProps = ControlProps<PickedFile | null> &
  Pick<Options, 'accept' | 'bytesMax'> & { readonly packs: RegExp | undefined }

function Picker({ id, label, value, onChange, describedBy, accept, bytesMax, packs }: PickerProps) {
  const [isBusy, setIsBusy] = useState(false)
  const pick = async (file: File | undefined): Promise<void> => {
    if (file === undefined) return
    setIsBusy(true)
    try {
      const bytes = await bytesOf(file, packs?.test(file.name) === true)
      // What is too large is refused anyway, and would only fill the memory.
      const base64 = bytes.length > bytesMax ? '' : base64Of(bytes)
      onChange({ name: file.name.slice(-nameLengthMax), bytes: bytes.length, base64 })
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

const nameLengthMax = 80

async function bytesOf(file: File, isPacked: boolean): Promise<Uint8Array> {
  const stream = isPacked ? file.stream().pipeThrough(new CompressionStream('gzip')) : file.stream()
  return new Uint8Array(await new Response(stream).arrayBuffer())
}

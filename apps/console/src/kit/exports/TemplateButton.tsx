import type { ReactNode } from 'react'
import { t } from '#kit/i18n/index.ts'
import { Button } from '#kit/plain/Button.tsx'
import { bytesOf, saveBytes } from './save.ts'

interface Props {
  /** Asks the server for the file. */
  readonly load: () => Promise<{ readonly data: { readonly name: string; readonly base64: string } }>
}

/** Saves the empty sheet that an import expects. */
export function TemplateButton({ load }: Props): ReactNode {
  const save = async (): Promise<void> => {
    const { data } = await load()
    saveBytes(data.name, [bytesOf(data.base64)])
  }
  return (
    <Button look="link" onClick={() => void save()}>
      {t('下载模板')}
    </Button>
  )
}

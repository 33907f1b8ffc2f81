import { t } from '#kit/i18n/index.ts'
import { notify } from '#kit/notify.ts'

/** Says of a call over many what could not be done, and why the first of them could not. */
export function tellRefused(refused: readonly { readonly promot: string }[]): void {
  const [first] = refused
  if (first === undefined) return
  notify.warning({ text: t('{{number}} 项未能处理：{{why}}', { number: refused.length, why: t(first.promot) }) })
}

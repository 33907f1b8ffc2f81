import { useState, type ReactNode } from 'react'
import { t } from '#kit/i18n/index.ts'
import { notify } from '#kit/notify.ts'
import { Button } from '#kit/plain/Button.tsx'

interface Props {
  readonly codes: readonly string[]
  readonly onKept: () => void
}

/** Recovery codes, shown once. */
export function RecoveryCodes({ codes, onKept }: Props): ReactNode {
  const [kept, setKept] = useState(false)
  const text = codes.join('\n')

  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(text)
      notify.success({ text: t('复制完毕') })
    } catch {
      notify.error({ text: t('复制失败') })
    }
  }

  function download(): void {
    const url = URL.createObjectURL(new Blob([`${text}\n`], { type: 'text/plain' }))
    const link = document.createElement('a')
    link.href = url
    link.download = 'saddle-recovery-codes.txt'
    link.click()
    URL.revokeObjectURL(url)
  }

  return (
    <div className="factor">
      <p>
        <strong>{t('已绑定。请现在保存恢复码。')}</strong>{' '}
        {t('手机丢失或更换时，用恢复码代替动态验证码，每个只能用一次。离开后不再显示。')}
      </p>
      <ol className="factor-codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ol>
      <div className="factor-actions">
        <Button onClick={() => void copy()}>{t('复制')}</Button>
        <Button onClick={download}>{t('下载')}</Button>
      </div>
      <label className="factor-kept">
        <input type="checkbox" checked={kept} onChange={(event) => setKept(event.target.checked)} />
        {t('我已把恢复码保存在安全的地方')}
      </label>
      <Button look="primary" disabled={!kept} onClick={onKept}>
        {t('完成')}
      </Button>
    </div>
  )
}

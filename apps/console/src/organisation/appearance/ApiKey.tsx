import { useState, type ReactNode } from 'react'
import type { Endpoint } from '@saddle/contract/endpoint.ts'
import { appearanceEndpoints } from '@saddle/contract/organisation/appearance.ts'
import { useAction } from '#kit/action/useAction.ts'
import { t } from '#kit/i18n/index.ts'
import { Button } from '#kit/plain/Button.tsx'

interface Props {
  readonly companyId: number
  readonly hasKey: boolean
  readonly readings: readonly Endpoint[]
}

/** The key that a console must show to learn whose domain it is on; shown once, when it is created. */
export function ApiKey({ companyId, hasKey, readings }: Props): ReactNode {
  const [made, setMade] = useState<string | null>(null)
  const set = useAction(appearanceEndpoints.setApiKey, {
    stale: readings,
    onDone: ({ data }) => setMade(data.apiKey),
  })
  const ask = (isOn: boolean): void => set.send({ id: companyId, isOn })
  return (
    <section className="look-key" aria-labelledby="look-key">
      <h3 id="look-key">{t('域名查询密钥')}</h3>
      <p>
        {hasKey
          ? t('已启用：只有带此密钥的后台（CONSOLE_API_KEY）才能按域名查到该公司。')
          : t('未启用：任何打开该域名的浏览器都能看到此品牌。')}
      </p>
      {made !== null && (
        <output>
          {t('密钥只显示这一次，请立即保存：')}
          <code>{made}</code>
        </output>
      )}
      <div>
        <Button busy={set.isBusy} onClick={() => ask(true)}>
          {hasKey ? t('更换密钥') : t('生成密钥')}
        </Button>
        {hasKey && (
          <Button look="quiet" busy={set.isBusy} onClick={() => ask(false)}>
            {t('取消密钥')}
          </Button>
        )}
      </div>
    </section>
  )
}

import { useState, type ReactNode } from 'react'
import { appearanceEndpoints, type Layout } from '@saddle/contract/organisation/appearance.ts'
import { useAction } from '#kit/action/useAction.ts'
import { t } from '#kit/i18n/index.ts'
import { Button } from '#kit/plain/Button.tsx'
import { useEndpoint } from '#kit/query.ts'
import { LayoutFields } from '#kit/theme/LayoutFields.tsx'
import { settleLayout, useTheme } from '#kit/theme/settings.ts'
import { ErrorState, Loading } from '#kit/ui/states.tsx'

/** The user's layout settings, in every browser; settings not made here are the company's. */
export function LayoutSettings(): ReactNode {
  const { data, error, refetch } = useEndpoint(appearanceEndpoints.ownAppearance, {})
  const shown = useTheme()
  const look = data?.data
  const [chosen, setChosen] = useState<Layout>({})
  const save = useAction(appearanceEndpoints.saveOwnLayout, {
    stale: [appearanceEndpoints.ownAppearance],
    done: () => t('设置已保存'),
    onDone: ({ data: own }) => settleLayout({ company: look?.company ?? {}, own }),
  })
  const keep = (own: Layout): void => {
    setChosen(own)
    save.send(own)
  }
  return (
    <section className="page-card account-card" aria-labelledby="account-layout" aria-busy={save.isBusy}>
      <header>
        <h2 id="account-layout">{t('界面布局')}</h2>
        {look !== undefined && Object.keys(look.own).length > 0 && (
          <Button look="quiet" busy={save.isBusy} onClick={() => keep({})}>
            {t('恢复公司默认')}
          </Button>
        )}
      </header>
      {look === undefined ? (
        error === null ? (
          <Loading />
        ) : (
          <ErrorState error={error} onRetry={() => void refetch()} />
        )
      ) : (
        <LayoutFields
          // The choice is shown at once and reverted if it is rejected.
          value={{ ...(shown as Layout), ...(save.isBusy && chosen) }}
          disabled={save.isBusy}
          onChange={(change) => keep({ ...look.own, ...change })}
        />
      )}
    </section>
  )
}

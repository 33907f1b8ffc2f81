import { lazy, Suspense, useState, type ReactNode } from 'react'
import { devicePolicyLabels, companyEndpoints, type AgentNode } from '@saddle/contract/organisation/companies.ts'
import { loadChunk } from '#kit/chunk.tsx'
import { t } from '#kit/i18n/index.ts'
import { Button } from '#kit/plain/Button.tsx'
import { useEndpoint } from '#kit/query.ts'
import { usePermissions } from '#kit/session/permissions.ts'
import { useSession } from '#kit/session/store.ts'
import { SelectOne } from '#kit/ui/SelectOne.tsx'

const PolicyDialog = lazy(() => loadChunk(() => import('./PolicyDialog.tsx')))

/** The companies whose people the caller administers. */
export function useCompanies(): readonly AgentNode[] {
  const { held } = usePermissions()
  const own = useSession()?.agentId
  const { data } = useEndpoint(companyEndpoints.agentTree, {}, { quiet: true })
  return data?.data.list.filter((one) => held.has(one.id === own ? '1002' : '1101')) ?? []
}

/** Whether a company asks for approval, and who is let in without asking when it begins to. */
export function Policies(): ReactNode {
  const own = useSession()?.agentId
  const companies = useCompanies()
  const [chosenId, setChosenId] = useState<number | null>(null)
  const chosen = companies.find((one) => one.id === (chosenId ?? own)) ?? companies[0]
  if (chosen === undefined) return null
  return (
    <section className="page-card devices-policy" aria-label={t('设备策略')}>
      {companies.length > 1 ? (
        <label>
          {t('公司')}
          <SelectOne
            label={t('公司')}
            value={chosen.id}
            options={companies.map(({ id, company }) => ({ value: id, label: company }))}
            onChange={setChosenId}
            isSearched
          />
        </label>
      ) : (
        <b>{chosen.company}</b>
      )}
      <span className="devices-state" data-state={chosen.devicePolicy === 'open' ? 'unknown' : 'approved'}>
        {t(devicePolicyLabels[chosen.devicePolicy])}
      </span>
      <Change key={`${chosen.id} ${chosen.devicePolicy}`} company={chosen} />
    </section>
  )
}

function Change({ company }: { readonly company: AgentNode }) {
  const [isOpen, setOpen] = useState(false)
  const isOn = company.devicePolicy === 'approval'
  return (
    <>
      <Button {...(!isOn && { look: 'primary' as const })} onClick={() => setOpen(true)}>
        {isOn ? t('关闭设备授权') : t('开启设备授权')}
      </Button>
      {isOpen && (
        <Suspense fallback={null}>
          <PolicyDialog company={company} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}

import { useState, type ReactNode } from 'react'
import { adEndpoints, adTargetPages, type AdContent, type AdSlot } from '@saddle/contract/marketing/ads.ts'
import { FormDrawer } from '#kit/form/FormDialog.tsx'
import { t } from '#kit/i18n/index.ts'
import { useEndpoint } from '#kit/query.ts'
import { SelectOne } from '#kit/ui/SelectOne.tsx'
import { CompanyChoice, useCompany } from '../help/CompanyChoice.tsx'
import {
  adContentOf,
  adFormFields,
  adjustAd,
  shownWhileTyping,
  slotOptions,
  staleAds,
  type AdTargets,
} from './adFields.ts'
import { AdPhone } from './AdPhone.tsx'
import '../help/help.css'

const widthPx = 960

interface Linked {
  readonly content: AdContent
  readonly targetName: string | null
}

/** What links of a company can open; with what a link opens already, even if that is over. */
function useTargets(agentId: number | null, of: Linked | null): AdTargets {
  const { data } = useEndpoint(
    adEndpoints.adTargets,
    { agentId: agentId ?? 0 },
    { staleMs: 60_000, quiet: true, enabled: agentId !== null },
  )
  const open = data?.data.list ?? []
  const link = of?.content.link
  return Object.fromEntries(
    adTargetPages.map((page) => {
      const options = open.filter((one) => one.page === page).map(({ id, name }) => ({ value: id, label: name }))
      const own = link?.to === 'page' && link.page === page ? link.id : null
      const name = of?.targetName ?? null
      const isMissing = own !== null && name !== null && options.every(({ value }) => value !== own)
      return [page, isMissing ? [{ value: own, label: t('{{name}}（已结束）', { name }) }, ...options] : options]
    }),
  )
}

interface NewProps {
  /** What to begin with: a copy. */
  readonly of: (Linked & { readonly slot: AdSlot }) | null
  readonly onClose: () => void
}

/** A new placement, which is a draft until it is started. */
export function NewAdForm({ of, onClose }: NewProps): ReactNode {
  const company = useCompany()
  const [slot, setSlot] = useState<AdSlot>(of?.slot ?? 'banner')
  const { agentId, areas } = company
  const targets = useTargets(agentId, of)
  if (agentId === null) return null
  return (
    <FormDrawer
      key={`${agentId} ${slot}`}
      widthPx={widthPx}
      title={t('新增广告')}
      call={adEndpoints.saveAd}
      about={`new-${agentId}-${slot}`}
      fields={adFormFields(of?.content ?? null, { agentId, slot, areas, targets })}
      adjust={adjustAd}
      input={(values) => ({ agentId, slot, content: adContentOf(values) })}
      submit={t('保存为草稿')}
      stale={staleAds}
      done={() => t('已保存为草稿，投放后骑行者可见')}
      onClose={onClose}
    >
      {(values) => (
        <div className="content-beside">
          <CompanyChoice {...company} />
          <label className="form-field">
            <span>{t('广告位')}</span>
            <SelectOne
              label={t('广告位')}
              className="form-select"
              value={slot}
              options={slotOptions()}
              onChange={setSlot}
            />
          </label>
          <AdPhone slot={slot} content={shownWhileTyping(values, targets)} />
        </div>
      )}
    </FormDrawer>
  )
}

interface ChangeProps {
  readonly ad: { readonly id: number; readonly agentId: number; readonly version: number; readonly slot: AdSlot }
  readonly of: Linked
  readonly onClose: () => void
}

/** The next version of a placement. */
export function ChangeAdForm({ ad, of, onClose }: ChangeProps): ReactNode {
  const { id, agentId, version, slot } = ad
  const { areasOf } = useCompany()
  const targets = useTargets(agentId, of)
  return (
    <FormDrawer
      widthPx={widthPx}
      title={t('修改广告')}
      call={adEndpoints.saveAd}
      about={`${id}-${version}`}
      fields={adFormFields(of.content, { agentId, slot, areas: areasOf(agentId), targets })}
      adjust={adjustAd}
      input={(values) => ({ id, version, content: adContentOf(values) })}
      submit={t('保存新版本')}
      stale={staleAds}
      done={() => t('已保存，投放中的立即生效')}
      onClose={onClose}
    >
      {(values) => (
        <div className="content-beside">
          <AdPhone slot={slot} content={shownWhileTyping(values, targets)} />
        </div>
      )}
    </FormDrawer>
  )
}

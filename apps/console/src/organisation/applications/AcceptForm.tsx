import Select from 'antd/es/select'
import { lazy, Suspense, useId, useRef, useState, type ReactNode } from 'react'
import { phonePattern } from '@saddle/contract/constants.ts'
import type { RequestOf } from '@saddle/contract/endpoint.ts'
import { applicationEndpoints, type ApplicationRow } from '@saddle/contract/organisation/applications.ts'
import { firstRoleCodes, companyEndpoints, firstRoleName } from '@saddle/contract/organisation/companies.ts'
import { loadChunk } from '#kit/chunk.tsx'
import { clientConfig } from '#kit/config.ts'
import { useAction } from '#kit/action/useAction.ts'
import { t } from '#kit/i18n/index.ts'
import type { MapBounds } from '#kit/map/view.ts'
import { Button } from '#kit/plain/Button.tsx'
import { Field } from '#kit/plain/Field.tsx'
import { useEndpoint } from '#kit/query.ts'
import { usePermissions } from '#kit/session/permissions.ts'
import { parentsFor } from '../companies/parents.ts'
import { companyCalls } from '../parts/companyCalls.ts'
import { boundsOf, draftAround, draftIn, type Corners } from '#kit/map/draw/corners.ts'
import { useBoundary } from '#kit/map/draw/useBoundary.ts'
import { BoundaryFacts } from '../boundary/BoundaryFacts.tsx'
import { useBoundaryPreview } from '../boundary/useBoundaryPreview.ts'
import '../companies/company.css'

const DraftMap = lazy(() => loadChunk(() => import('./DraftMap.tsx')))

interface Props {
  readonly application: ApplicationRow
  readonly onDone: () => void
}

const draftRadiusM = 2_000

/** Where the first draft lies: around the applicant's city when the map knows it, else in the middle of the map. */
function firstDraft(city: string): { readonly corners: Corners; readonly isKnown: boolean } {
  const known = clientConfig().city
  const centre = known?.centre ?? { lng: 105, lat: 35 }
  return { corners: draftAround(centre, draftRadiusM), isKnown: known !== null && city.startsWith(known.name) }
}

/** What is typed of the company and its first account; `input` is null while something is missing. */
function useCompany(application: ApplicationRow) {
  const tree = useEndpoint(companyEndpoints.adminAgentTree, {})
  const root = tree.data?.data.list.find(({ parentId }) => parentId === null)?.id ?? null
  const [chosenParent, setParent] = useState<number | null>(null)
  const [company, setCompany] = useState(application.company)
  const [name, setName] = useState(application.contact)
  const [phone, setPhone] = useState(application.phone)
  const parentId = chosenParent ?? root
  const isPhone = phonePattern.test(phone)
  const isComplete = company.trim().length >= 2 && name.trim() !== '' && isPhone
  return {
    places: parentsFor(tree.data?.data.list ?? [], null),
    parentId,
    setParent,
    company,
    setCompany,
    name,
    setName,
    phone,
    setPhone,
    isPhone,
    input:
      parentId !== null && isComplete
        ? { parentId, company: company.trim(), manager: { name: name.trim(), phone } }
        : null,
  }
}

/** Everything that accepting makes in one step: company, first role, first account and area. */
export function AcceptForm({ application, onDone }: Props): ReactNode {
  const company = useCompany(application)
  const [areaName, setAreaName] = useState(() => t('{{city}}服务区', { city: application.city }).slice(0, 40))
  const [start] = useState(() => firstDraft(application.city))
  const drawing = useBoundary(start.corners)
  const findings = useBoundaryPreview(drawing.ring, null)
  const { accept, isBusy } = useAccept(application, onDone)
  // A draft in the wrong city cannot be used.
  const isDrawn = findings.problem === null && (start.isKnown || drawing.isChanged)
  const isReady = company.input !== null && areaName.trim() !== '' && isDrawn
  const submit = (): void => {
    if (!isReady || isBusy || company.input === null) return
    accept({ ...company.input, area: { name: areaName.trim(), ring: drawing.ring } })
  }
  return (
    <form
      className="application-form"
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <div className="application-fields">
        <CompanyFields company={company} />
        <Field
          label={t('首个服务区')}
          value={areaName}
          maxLength={40}
          onChange={(event) => setAreaName(event.target.value)}
        />
      </div>
      <FirstArea
        city={application.city}
        isKnown={start.isKnown}
        drawing={drawing}
        findings={findings}
        firstFocus={boundsOf(start.corners)}
      />
      <div className="company-foot">
        <Button type="submit" look="primary" busy={isBusy} disabled={!isReady}>
          {t('通过并开设“{{name}}”', { name: company.company.trim() })}
        </Button>
      </div>
    </form>
  )
}

function CompanyFields({ company: of }: { readonly company: ReturnType<typeof useCompany> }) {
  const id = useId()
  const { held } = usePermissions()
  const count = firstRoleCodes.filter((code) => held.has(code)).length
  return (
    <>
      <Field
        label={t('公司名称')}
        value={of.company}
        maxLength={80}
        onChange={(event) => of.setCompany(event.target.value)}
      />
      <div className="company-line">
        <label htmlFor={`${id}-parent`}>{t('上级')}</label>
        <Select
          id={`${id}-parent`}
          showSearch={{ optionFilterProp: 'label' }}
          value={of.parentId}
          options={of.places}
          onChange={of.setParent}
        />
      </div>
      <Field
        label={t('首个管理员姓名')}
        value={of.name}
        maxLength={40}
        onChange={(event) => of.setName(event.target.value)}
      />
      <Field
        label={t('首个管理员手机号')}
        value={of.phone}
        inputMode="numeric"
        maxLength={11}
        error={of.isPhone ? null : t('手机号码格式不正确')}
        hint={t('用它登录；角色“{{role}}”，含 {{count}} 项权限', { role: t(firstRoleName), count })}
        onChange={(event) => of.setPhone(event.target.value)}
      />
    </>
  )
}

interface AreaProps {
  readonly city: string
  /** The map knows where the city is. */
  readonly isKnown: boolean
  readonly drawing: ReturnType<typeof useBoundary>
  readonly findings: ReturnType<typeof useBoundaryPreview>
  readonly firstFocus: MapBounds
}

/** The draft of the first service area, on the map and in words. */
function FirstArea({ city, isKnown, drawing, findings, firstFocus }: AreaProps) {
  const [focus, setFocus] = useState(firstFocus)
  const view = useRef<MapBounds | null>(null)
  const draftHere = (): void => {
    if (view.current === null) return
    const corners = draftIn(view.current)
    drawing.setCorners(corners)
    setFocus(boundsOf(corners))
  }
  return (
    <>
      {!isKnown && (
        <p className="org-note">
          {t('底图没有“{{city}}”的位置：请把地图移到该城市，再以当前视野起草边界，或粘贴坐标。', {
            city,
          })}
        </p>
      )}
      <div className="application-area">
        <div className="application-map">
          <Suspense fallback={null}>
            <DraftMap
              focus={focus}
              drawing={drawing}
              isWrong={findings.problem !== null}
              targets={null}
              onView={(bounds) => {
                view.current = bounds
              }}
            />
          </Suspense>
        </div>
        <div className="application-boundary">
          <Button onClick={draftHere}>{t('以当前视野起草')}</Button>
          <BoundaryFacts drawing={drawing} findings={findings} />
        </div>
      </div>
    </>
  )
}

function useAccept(application: ApplicationRow, onDone: () => void) {
  const { applicationNumber } = application
  const action = useAction(applicationEndpoints.acceptApplication, {
    stale: companyCalls,
    done: (_answer, { company, manager }) =>
      t('已开设“{{name}}”，{{manager}} 现在可以登录', { name: company, manager: manager.name }),
    onDone: () => onDone(),
  })
  const accept = (input: Omit<RequestOf<typeof applicationEndpoints.acceptApplication>, 'applicationNumber'>): void =>
    action.send({ applicationNumber, ...input })
  return { accept, isBusy: action.isBusy }
}

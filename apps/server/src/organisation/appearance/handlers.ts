import { AppError } from '@saddle/contract/errors.ts'
import type { InputOf } from '@saddle/contract/endpoint.ts'
import { logoPath, type appearanceEndpoints, type CompanyAppearance } from '@saddle/contract/organisation/appearance.ts'
import type { ShownPhoto } from '@saddle/contract/photos/photo.ts'
import type { Handlers, SessionCall } from '#kit/call.ts'
import { sha256 } from '#kit/crypto.ts'
import { isTaken } from '#kit/db/pgErrors.ts'
import type { Tx } from '#kit/db/pool.ts'
import { checkPlatform } from '#organisation/agents/platform.ts'
import { brandingOf } from '#organisation/agents/rules.ts'
import { findAgent } from '#organisation/agents/store.ts'
import type { CompanyDeps } from '#organisation/deps.ts'
import { differenceOf, layoutOf, logoIdOf, textOrNone } from './rules.ts'
import {
  lockAppearance,
  ownerOfLogo,
  readOwnAppearance,
  selectAppearance,
  setApiKeyHash,
  updateAppearance,
  updateOwnLayout,
  type AppearanceColumns,
  type Appearance,
} from './store.ts'

type Save = InputOf<typeof appearanceEndpoints.saveCompanyAppearance>

const apiKeyBytes = 24
const logoPurpose = 'logo'

/** How companies look, and how people want their own console. */
export function createAppearanceHandlers(parts: CompanyDeps): Handlers<typeof appearanceEndpoints> {
  const { kit, audit } = parts
  const { db, random } = kit
  return {
    companyAppearance: async ({ id }, call) => {
      if (!call.scope.agentIds.includes(id)) throw new AppError('foreign_scope')
      const [row] = await db.read(call.scope, (k) => selectAppearance({ agentId: id, scope: call.scope }).compile(k))
      return { suc: true, data: shown(row, await isPlatform(parts, call)) }
    },

    saveCompanyAppearance: async (input, call) => {
      if (!call.scope.agentIds.includes(input.id)) throw new AppError('foreign_scope')
      const mayRegister = await isPlatform(parts, call)
      try {
        const row = await db.withScope(call.scope, (tx) => save({ parts, tx, call, input, mayRegister }))
        return { suc: true, data: shown(row, mayRegister) }
      } catch (error) {
        if (isTaken(error)) throw new AppError('domain_taken', { cause: error })
        throw error
      }
    },

    setApiKey: async ({ id, isOn }, call) => {
      if (!call.scope.agentIds.includes(id)) throw new AppError('foreign_scope')
      await checkPlatform(db, call)
      const apiKey = isOn ? Buffer.from(random.bytes(apiKeyBytes)).toString('base64url') : null
      await db.withScope(call.scope, async (tx) => {
        const hash = apiKey === null ? null : sha256(apiKey)
        if (!(await setApiKeyHash({ tx, agentId: id, scope: call.scope, hash }))) throw new AppError('not_found')
        await audit.act(tx, call, {
          agentId: id,
          action: 'agent.change',
          subjectKind: 'agent',
          subjectId: id,
          after: { hasApiKey: isOn },
        })
      })
      return { suc: true, data: { apiKey } }
    },

    ownAppearance: async (_, { caller }) => {
      const row = await readOwnAppearance({ db, agentId: caller.agentId, operatorId: caller.operatorId })
      if (row === undefined) throw new AppError('not_found')
      return {
        suc: true,
        data: { branding: brandingOf(row), company: layoutOf(row.company), own: layoutOf(row.own) },
      }
    },

    saveOwnLayout: async (layout, { caller }) => {
      const { agentId, operatorId } = caller
      const own = { agentIds: [agentId], areaIds: [], operatorId }
      const isSaved = await db.withScope(own, (tx) => updateOwnLayout({ tx, agentId, operatorId, layout }))
      if (!isSaved) throw new AppError('not_found')
      return { suc: true, data: layout }
    },
  }
}

/** The logo with this id, for everybody: it stands on the login page. Null when no enabled company shows it. */
export async function readLogo(
  { kit, photos }: Pick<CompanyDeps, 'kit' | 'photos'>,
  id: string,
): Promise<ShownPhoto | null> {
  const agentId = await ownerOfLogo({ db: kit.db, id })
  if (agentId === undefined) return null
  const [photo] = await photos.read(
    { agentIds: [agentId], areaIds: [], operatorId: 0 },
    { purpose: logoPurpose, ids: [id] },
  )
  return photo ?? null
}

async function isPlatform({ kit }: CompanyDeps, { grant, caller }: SessionCall): Promise<boolean> {
  const own = await findAgent({ db: kit.db, scope: grant, agentId: caller.agentId })
  return own?.isRoot === true
}

interface Saving {
  readonly parts: CompanyDeps
  readonly tx: Tx
  readonly call: SessionCall
  readonly input: Save
  readonly mayRegister: boolean
}

async function save({ parts, tx, call, input, mayRegister }: Saving): Promise<Appearance> {
  const { audit } = parts
  const { scope } = call
  const agentId = input.id
  const before = await lockAppearance({ tx, agentId, scope })
  if (before === undefined) throw new AppError('not_found')
  const domain = input.domain === undefined ? before.domain : input.domain
  if (domain !== before.domain && !mayRegister) throw new AppError('forbidden')
  const columns: AppearanceColumns = {
    web_img: await changeLogo({ parts, tx, agentId, present: before.web_img, logo: input.logo }),
    web_title: textOrNone(input.webTitle),
    app_title: textOrNone(input.appTitle),
    brand_company: textOrNone(input.company),
    domain,
    layout: input.layout,
  }
  await updateAppearance({ tx, agentId, scope, columns })
  const line = differenceOf(wordsOf(before), wordsOf(columns))
  if (Object.keys(line.after).length > 0) {
    await audit.act(tx, call, { agentId, action: 'agent.change', subjectKind: 'agent', subjectId: agentId, ...line })
  }
  return { ...columns, has_api_key: before.has_api_key }
}

interface LogoChange {
  readonly parts: CompanyDeps
  readonly tx: Tx
  readonly agentId: number
  readonly present: string | null
  readonly logo: string | null | undefined
}

/** Keeps the new picture and lets the old one go; resolves to the address that the branding names. */
async function changeLogo({ parts, tx, agentId, present, logo }: LogoChange): Promise<string | null> {
  if (logo === undefined) return present
  const old = logoIdOf(present)
  if (old !== null) await parts.photos.release(tx, { agentId, purpose: logoPurpose, ids: [old] })
  if (logo === null) return null
  return logoPath + (await parts.photos.keep(tx, { agentId, areaId: null, purpose: logoPurpose, file: logo }))
}

/** Of the audit line. */
const wordsOf = (row: AppearanceColumns) => ({
  logo: row.web_img,
  webTitle: row.web_title,
  appTitle: row.app_title,
  brandCompany: row.brand_company,
  domain: row.domain,
  layout: layoutOf(row.layout),
})

function shown(row: Appearance | undefined, mayRegister: boolean): CompanyAppearance {
  if (row === undefined) throw new AppError('not_found')
  return {
    branding: brandingOf(row),
    domain: row.domain,
    hasApiKey: row.has_api_key,
    mayRegister,
    layout: layoutOf(row.layout),
  }
}

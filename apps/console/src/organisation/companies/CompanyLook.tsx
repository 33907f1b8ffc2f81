import Modal from 'antd/es/modal'
import { useId, useState, type ReactNode } from 'react'
import { appearanceEndpoints, brandLimits, type CompanyAppearance } from '@saddle/contract/organisation/appearance.ts'
import type { AgentNode } from '@saddle/contract/organisation/franchise.ts'
import { t } from '#kit/i18n/index.ts'
import { notify } from '#kit/notify.ts'
import { base64Of, pickLogo } from '#kit/photos/logo.ts'
import { Button } from '#kit/plain/Button.tsx'
import { Field } from '#kit/plain/Field.tsx'
import { useEndpoint, useEndpointMutation } from '#kit/query.ts'
import { LayoutFields } from '#kit/theme/LayoutFields.tsx'
import { ErrorState, Loading } from '#kit/ui/states.tsx'
import { ApiKey } from './ApiKey.tsx'
import './look.css'

interface Props {
  readonly company: AgentNode
  readonly onClose: () => void
}

const readings = [appearanceEndpoints.companyAppearance, appearanceEndpoints.ownAppearance]

/** Logo, names, domain and default layout of a company, with what its people will see. */
export function CompanyLook({ company, onClose }: Props): ReactNode {
  const { data, error, refetch } = useEndpoint(
    appearanceEndpoints.companyAppearance,
    { id: company.id },
    { staleMs: 0 },
  )
  return (
    <Modal
      open
      width={720}
      title={t('{{name}} 的品牌与布局', { name: company.company })}
      footer={null}
      onCancel={onClose}
    >
      {data === undefined ? (
        error === null ? (
          <Loading />
        ) : (
          <ErrorState error={error} onRetry={() => void refetch()} />
        )
      ) : (
        <LookForm key={company.id} company={company} look={data.data} onClose={onClose} />
      )}
    </Modal>
  )
}

function LookForm({ company, look, onClose }: Props & { readonly look: CompanyAppearance }) {
  const { branding } = look
  const [webTitle, setWebTitle] = useState(branding.webTitle ?? '')
  const [appTitle, setAppTitle] = useState(branding.appTitle ?? '')
  const [name, setName] = useState(branding.company ?? '')
  const [domain, setDomain] = useState(look.domain ?? '')
  const [layout, setLayout] = useState(look.layout)
  /** Undefined: the present one stays; null: none. */
  const [logo, setLogo] = useState<string | null | undefined>()
  const save = useEndpointMutation(appearanceEndpoints.saveCompanyAppearance, { invalidates: readings })
  const picture = logo === undefined ? branding.webImg : logo
  const submit = (): void =>
    save.mutate(
      {
        input: {
          id: company.id,
          webTitle: webTitle.trim() || null,
          appTitle: appTitle.trim() || null,
          company: name.trim() || null,
          layout,
          ...(look.mayRegister && { domain: domain.trim() || null }),
          ...(logo !== undefined && { logo: logo === null ? null : base64Of(logo) }),
        },
      },
      {
        onSuccess: () => {
          onClose()
          notify.success({ text: t('已保存“{{name}}”的品牌与布局', { name: company.company }) })
        },
      },
    )
  return (
    <form
      className="look-form"
      onSubmit={(event) => {
        event.preventDefault()
        if (!save.isPending) submit()
      }}
    >
      <Preview picture={picture} webTitle={webTitle.trim()} appTitle={appTitle.trim()} company={name.trim()} />
      <LogoPicker picture={picture} onPick={setLogo} />
      <div className="look-fields">
        <Field
          label={t('平台名称')}
          optionalText={t('选填')}
          value={webTitle}
          maxLength={brandLimits.title}
          hint={t('显示在页头、浏览器标签与水印上')}
          onChange={(event) => setWebTitle(event.target.value)}
        />
        <Field
          label={t('应用名称')}
          optionalText={t('选填')}
          value={appTitle}
          maxLength={brandLimits.title}
          hint={t('显示在登录页上')}
          onChange={(event) => setAppTitle(event.target.value)}
        />
        <Field
          label={t('对外公司名称')}
          optionalText={t('选填')}
          value={name}
          maxLength={brandLimits.company}
          hint={t('显示在页头与登录页页脚')}
          onChange={(event) => setName(event.target.value)}
        />
        <Field
          label={t('访问域名')}
          optionalText={t('选填')}
          value={domain}
          maxLength={brandLimits.domain}
          placeholder="console.example.cn"
          disabled={!look.mayRegister}
          hint={
            look.mayRegister
              ? t('用该域名打开登录页时显示此品牌；一个域名只属于一家加盟商')
              : t('域名由平台登记，请联系平台管理员')
          }
          onChange={(event) => setDomain(event.target.value)}
        />
      </div>
      {look.mayRegister && <ApiKey companyId={company.id} hasKey={look.hasApiKey} readings={readings} />}
      <section aria-labelledby="look-layout">
        <h3 id="look-layout">{t('默认布局')}</h3>
        <p>{t('本公司人员没有自行设置时使用；个人设置在“个人中心”。')}</p>
        <LayoutFields value={layout} onChange={(change) => setLayout({ ...layout, ...change })} />
        {Object.keys(layout).length > 0 && (
          <Button look="quiet" onClick={() => setLayout({})}>
            {t('恢复产品默认')}
          </Button>
        )}
      </section>
      <div className="company-foot">
        <Button onClick={onClose}>{t('取消')}</Button>
        <Button type="submit" look="primary" busy={save.isPending}>
          {t('保存')}
        </Button>
      </div>
    </form>
  )
}

interface PreviewProps {
  readonly picture: string | null
  readonly webTitle: string
  readonly appTitle: string
  readonly company: string
}

/** Header and login page as they will be; what is left empty is the product's own. */
function Preview({ picture, webTitle, appTitle, company }: PreviewProps) {
  const title = webTitle || t('共享出行运营平台')
  const shownCompany = company || t('共享科技有限公司')
  const image = picture ?? '/favicon.svg'
  return (
    <figure className="look-preview">
      <div className="look-header">
        <img src={image} alt="" width="32" height="32" />
        <span>
          {title}
          <small>{shownCompany}</small>
        </span>
      </div>
      <div className="look-login">
        <img src={image} alt="" width="40" height="40" />
        <b>{appTitle || t('共享电单车')}</b>
        <small>{shownCompany}</small>
      </div>
      <figcaption>{t('预览：页头与登录页')}</figcaption>
    </figure>
  )
}

interface LogoProps {
  readonly picture: string | null
  readonly onPick: (logo: string | null) => void
}

function LogoPicker({ picture, onPick }: LogoProps) {
  const id = useId()
  const pick = async (file: File | undefined): Promise<void> => {
    if (file === undefined) return
    try {
      onPick(await pickLogo(file))
    } catch {
      notify.error({ text: t('{{name}} 不是可以识别的图片', { name: file.name }) })
    }
  }
  return (
    <div className="look-logo">
      <span>
        {t('标志图片')}
        <small id={`${id}-hint`}>{t('PNG、JPEG 或 WebP，自动缩小到 256 像素以内')}</small>
      </span>
      <label htmlFor={id} className="plain-button" data-look="outline">
        {t('选择图片')}
      </label>
      <input
        id={id}
        type="file"
        className="visually-hidden"
        aria-describedby={`${id}-hint`}
        accept="image/png,image/jpeg,image/webp"
        onChange={(event) => {
          const [file] = event.target.files ?? []
          // Emptied, so that the same file can be picked again.
          event.target.value = ''
          void pick(file)
        }}
      />
      {picture !== null && (
        <Button look="quiet" onClick={() => onPick(null)}>
          {t('移除标志')}
        </Button>
      )}
    </div>
  )
}

import { useId, useState, type ReactNode } from 'react'
import { appearanceEndpoints, type CompanyAppearance, type Layout } from '@saddle/contract/organisation/appearance.ts'
import type { AgentNode } from '@saddle/contract/organisation/companies.ts'
import type { Field } from '#kit/form/field.ts'
import { FormDialog } from '#kit/form/FormDialog.tsx'
import { text } from '#kit/form/textFields.tsx'
import { t } from '#kit/i18n/index.ts'
import { notify } from '#kit/notify.ts'
import { base64Of, pickLogo } from '#kit/photos/logo.ts'
import { Button } from '#kit/plain/Button.tsx'
import { useEndpoint } from '#kit/query.ts'
import { LayoutFields } from '#kit/theme/LayoutFields.tsx'
import { ApiKey } from './ApiKey.tsx'
import './appearance.css'

interface Props {
  readonly company: AgentNode
  readonly onClose: () => void
}

const calls = [appearanceEndpoints.companyAppearance, appearanceEndpoints.ownAppearance]

/** Logo, names, domain and default layout of a company, with what its people will see. */
export function AppearanceForm({ company, onClose }: Props): ReactNode {
  const { data, error } = useEndpoint(appearanceEndpoints.companyAppearance, { id: company.id }, { staleMs: 0 })
  const look = data?.data
  // What is edited stays as it was read.
  const [base, setBase] = useState(look)
  if (base === undefined && look !== undefined) setBase(look)
  const frame = {
    call: appearanceEndpoints.saveCompanyAppearance,
    about: company.id,
    widthPx: 720,
    title: t('{{name}} 的品牌与布局', { name: company.company }),
    submit: t('保存'),
    onClose,
  }
  if (base === undefined) {
    return (
      <FormDialog
        key="loading"
        {...frame}
        fields={{}}
        input={() => ({ id: company.id, webTitle: null, appTitle: null, company: null, layout: {} })}
        blocked={error === null ? t('正在加载…') : t('没有读到最新内容，请关闭后再试')}
      />
    )
  }
  const { branding, domain, mayRegister } = base
  return (
    <FormDialog
      key="form"
      {...frame}
      fields={{
        ...brandFields(base),
        logo: logo(branding.webImg),
        layout: layout(base.layout),
      }}
      adjust={() => ({ domain: { isHidden: !mayRegister } })}
      input={({
        webTitle = null,
        appTitle = null,
        company: name = null,
        domain: host = null,
        logo: picture,
        ...rest
      }) => ({
        id: company.id,
        webTitle,
        appTitle,
        company: name,
        ...rest,
        ...(mayRegister && { domain: host }),
        ...(picture !== undefined && { logo: picture }),
      })}
      stale={calls}
      done={() => t('已保存“{{name}}”的品牌与布局', { name: company.company })}
    >
      {(values) => (
        <>
          <Preview
            picture={values.logo === undefined ? branding.webImg : values.logo}
            webTitle={values.webTitle.trim()}
            appTitle={values.appTitle.trim()}
            company={values.company.trim()}
          />
          {mayRegister ? (
            <ApiKey companyId={company.id} hasKey={look?.hasApiKey ?? base.hasApiKey} readings={calls} />
          ) : (
            <p>
              {t('访问域名')} {domain ?? t('无')}：{t('域名由平台登记，请联系平台管理员')}
            </p>
          )}
        </>
      )}
    </FormDialog>
  )
}

function brandFields({ branding, domain }: CompanyAppearance) {
  return {
    webTitle: text({
      label: t('平台名称'),
      isOptional: true,
      initial: branding.webTitle ?? '',
      hint: t('显示在页头、浏览器标签与水印上'),
    }),
    appTitle: text({
      label: t('应用名称'),
      isOptional: true,
      initial: branding.appTitle ?? '',
      hint: t('显示在登录页上'),
    }),
    company: text({
      label: t('对外公司名称'),
      isOptional: true,
      initial: branding.company ?? '',
      hint: t('显示在页头与登录页页脚'),
    }),
    domain: text({
      label: t('访问域名'),
      isOptional: true,
      initial: domain ?? '',
      placeholder: 'console.example.cn',
      hint: t('用该域名打开登录页时显示此品牌；一个域名只属于一家加盟商'),
      refusals: ['domain_taken'],
    }),
  }
}

/** A picture as a data address; undefined: the present one stays; null: none. It is too large to be kept in a draft. */
const logo = (present: string | null): Field<string | null | undefined, string | null | undefined> => ({
  label: t('标志图片'),
  isGroup: true,
  isSecret: true,
  initial: undefined,
  read: (value) => ({ value: typeof value === 'string' ? base64Of(value) : value }),
  control: ({ value, onChange }) => <LogoPicker picture={value === undefined ? present : value} onPick={onChange} />,
})

const layout = (initial: Layout): Field<Layout, Layout> => ({
  label: t('默认布局'),
  hint: t('本公司人员没有自行设置时使用；个人设置在“个人中心”。'),
  isGroup: true,
  initial,
  read: (value) => ({ value }),
  control: ({ value, onChange }) => (
    <>
      <LayoutFields value={value} onChange={(change) => onChange({ ...value, ...change })} />
      {Object.keys(value).length > 0 && (
        <Button look="quiet" onClick={() => onChange({})}>
          {t('恢复产品默认')}
        </Button>
      )}
    </>
  ),
})

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
      <small id={`${id}-hint`}>{t('PNG、JPEG 或 WebP，自动缩小到 256 像素以内')}</small>
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

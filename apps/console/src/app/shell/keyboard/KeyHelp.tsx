import type { ReactElement } from 'react'
import { menuRow } from '@saddle/contract/menu.ts'
import { t } from '#kit/i18n/index.ts'
import { currentKeyHints } from '#kit/list/pageKeys.ts'
import { usePermissions } from '#kit/session/permissions.ts'
import { Icon } from '../Icon.tsx'
import { menuNodes } from '../menu/model.ts'
import { Overlay } from '../parts/Overlay.tsx'
import { groupLetters } from './keys.ts'

/** All keyboard shortcuts of the shell. */
export function KeyHelp({ onClose }: { readonly onClose: () => void }): ReactElement {
  const { held } = usePermissions()
  const roots = new Set(menuNodes(held).map((node) => node.row.path))
  const general: readonly (readonly [readonly string[], string])[] = [
    [['/'], t('查找（页面没有搜索框时打开命令面板）')],
    [['Ctrl', 'K'], t('打开命令面板')],
    [['?'], t('显示全部快捷键')],
    [['Esc'], t('关闭')],
    [['Enter'], t('提交')],
  ]
  const groups = Object.entries(groupLetters).filter(([, path]) => path === '/log' || roots.has(path))
  return (
    <Overlay label={t('快捷键')} place="middle" onClose={onClose}>
      <header className="shell-keys-head">
        <h2>{t('快捷键')}</h2>
        <button type="button" className="shell-button" aria-label={t('关闭')} onClick={onClose}>
          <Icon name="close" />
        </button>
      </header>
      <dl className="shell-keys">
        {[...general, ...currentKeyHints()].map(([keys, text]) => (
          <Line key={text} keys={keys} text={text} />
        ))}
        {groups.map(([letter, path]) => (
          <Line
            key={path}
            keys={['g', letter]}
            text={t('前往 {{title}}', { title: t(menuRow(path)?.title ?? path) })}
          />
        ))}
      </dl>
    </Overlay>
  )
}

function Line({ keys, text }: { readonly keys: readonly string[]; readonly text: string }): ReactElement {
  return (
    <div>
      <dt>
        {keys.map((key) => (
          <kbd key={key}>{key}</kbd>
        ))}
      </dt>
      <dd>{text}</dd>
    </div>
  )
}

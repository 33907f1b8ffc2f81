import type { ReactElement } from 'react'
import { QueryClientProvider } from '@tanstack/react-query'
import { holdsPermission } from '@saddle/contract/permissions.ts'
import { chatWindow, useChatWindow } from '#kit/chatWindow.ts'
import { t } from '#kit/i18n/index.ts'
import { queryClient } from '#kit/query.ts'
import { usePermissions } from '#kit/session/permissions.ts'
import { Conversation } from './Conversation.tsx'
import { Inbox } from './Inbox.tsx'
import { inboxCode } from './rules.ts'

/** The built-in chat: one's own conversation with the support, and the inbox for those who answer. */
export default function ChatPanel(): ReactElement {
  const { held } = usePermissions()
  const side = useChatWindow()
  const mayAnswer = holdsPermission(held, inboxCode)
  return (
    <QueryClientProvider client={queryClient}>
      {mayAnswer && (
        <fieldset className="chat-sides" aria-label={t('对话')}>
          <button type="button" aria-pressed={side !== 'inbox'} onClick={() => chatWindow.set('mine')}>
            {t('我的咨询')}
          </button>
          <button type="button" aria-pressed={side === 'inbox'} onClick={() => chatWindow.set('inbox')}>
            {t('收件箱')}
          </button>
        </fieldset>
      )}
      {mayAnswer && side === 'inbox' ? (
        <Inbox />
      ) : (
        <Conversation conversation={null} emptyText={t('您好，请描述遇到的问题，客服会在这里回复您。')} />
      )}
    </QueryClientProvider>
  )
}

import { onDemand } from '#kit/onDemand.tsx'

/** Work for vehicles that were chosen on a map or in a list; fetched when it is first asked for. */
export const NewTasksDialog = onDemand(
  () => import('./tasks/NewTasksDialog.tsx'),
  ({ onClose }) => onClose(),
)

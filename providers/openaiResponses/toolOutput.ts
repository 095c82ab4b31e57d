/** What called the tool, where it was not the model itself. */
export interface Called {
  readonly caller?: { readonly type: 'program'; readonly caller_id: string };
}

export interface TextOutput extends Called {
  readonly type: 'function_call_output' | 'custom_tool_call_output';
  readonly call_id: string;
  readonly output: string;
}

export interface PatchOutput extends Called {
  readonly type: 'apply_patch_call_output';
  readonly call_id: string;
  readonly status: 'completed' | 'failed';
  readonly output: string;
}

export interface ShellOutput extends Called {
  readonly type: 'shell_call_output';
  readonly call_id: string;
  readonly output: CommandOutput[];
}

/** What a command wrote and how it ended. */
export interface CommandOutput {
  readonly stdout: string;
  readonly stderr: string;
  readonly outcome: { readonly type: 'exit'; readonly exit_code: number } | { readonly type: 'timeout' };
}

/** The types of the SDK have the call in `id`, the services' clients in `call_id`: it stands in both. */
export interface LocalShellOutput {
  readonly type: 'local_shell_call_output';
  readonly id: string;
  readonly call_id: string;
  readonly output: string;
}

export interface ComputerOutput {
  readonly type: 'computer_call_output';
  readonly call_id: string;
  readonly output: { readonly type: 'computer_screenshot'; readonly image_url?: string; readonly file_id?: string };
}

export interface Approval {
  readonly type: 'mcp_approval_response';
  readonly approval_request_id: string;
  readonly approve: boolean;
  readonly reason?: string;
}

/** The answer to one call, as it goes into `input` of the next request. */
export type OpenAIResponsesToolOutput =
  TextOutput | PatchOutput | ShellOutput | LocalShellOutput | ComputerOutput | Approval;

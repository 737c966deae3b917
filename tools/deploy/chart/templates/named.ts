import { fixedEnv } from '../../container-env';
import { printMap } from '../print';

/** _helpers.tpl: what several templates say. */
export const helpers = (): string => `{{/* Made from tools/deploy/chart by \`npm run docs\`. */}}

{{- define "switchyard.image" -}}
{{- with .Values.image -}}
{{- if .digest -}}
{{ .repository }}@{{ .digest }}
{{- else -}}
{{ .repository }}:{{ .tag | default $.Chart.AppVersion }}
{{- end -}}
{{- end -}}
{{- end }}

{{- define "switchyard.pullSecrets" -}}
{{- range .Values.image.pullSecrets }}
- name: {{ . | quote }}
{{- end }}
{{- end }}

{{- /* Labels of Helm, and of the operator: beside the labels of an object, never in a selector. */}}
{{- define "switchyard.helmLabels" -}}
app.kubernetes.io/instance: {{ .Release.Name | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service | quote }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" | quote }}
{{- end }}

{{- define "switchyard.labels" -}}
{{ include "switchyard.helmLabels" . }}
{{- with .Values.commonLabels }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{- /* (list $ "agent"): the name of the Secret of a service. */}}
{{- define "switchyard.secret" -}}
{{- $existing := (index . 0).Values.existingSecret -}}
{{- $service := index . 1 -}}
{{- get $existing.names $service | default (print $existing.prefix $service) -}}
{{- end }}

{{- /* Settings of all services. Pod templates hold its checksum, so that pods are replaced when it changes. */}}
{{- define "switchyard.config" -}}
${printMap(fixedEnv(), 0).join('\n')}
{{- $added := ternary .Values.monitoring.config dict .Values.monitoring.enabled }}
{{- range $name, $value := merge (deepCopy .Values.config) $added }}
{{ $name }}: {{ $value | quote }}
{{- end }}
{{- end }}
`;

export const configTemplate = (): string => `apiVersion: v1
kind: ConfigMap
metadata:
  name: switchyard
  namespace: {{ .Release.Namespace }}
  labels:
    {{- include "switchyard.labels" . | nindent 4 }}
data:
  {{- include "switchyard.config" . | nindent 2 }}
`;

export const extraTemplate = (): string => `{{- range .Values.extraObjects }}
---
{{ tpl (toYaml .) $ }}
{{- end }}
`;

export const notes = (): string => `Switchyard {{ .Chart.AppVersion }} starts in {{ .Release.Namespace }}.

  kubectl -n {{ .Release.Namespace }} rollout status deployment/gateway

Pods wait for the Job migrate-… (kubectl -n {{ .Release.Namespace }} logs job/<name>), which needs the Secret
{{ include "switchyard.secret" (list . "migrate") }}; each service needs its own:
{{ range $name, $_ := .Values.services }}
  {{ include "switchyard.secret" (list $ $name) }}
{{- end }}
{{ if .Values.ingress.enabled }}
https://{{ .Values.ingress.host }} leads to the gateway.
{{ else if .Values.httpRoute.enabled }}
The Gateway {{ .Values.httpRoute.gateway.namespace }}/{{ .Values.httpRoute.gateway.name }} leads to the gateway, for {{ join ", " .Values.httpRoute.hostnames }}.
{{ else }}
No way leads in: switch on ingress or httpRoute, or try it from here:

  kubectl -n {{ .Release.Namespace }} port-forward service/gateway 3000:80
{{ end }}
The owner's first e-mail and password are in secrets.json, beside the Secrets that kubernetes-secrets.js made.
`;

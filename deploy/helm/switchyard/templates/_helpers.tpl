{{/* Made from tools/deploy/chart by `npm run docs`. */}}

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
NODE_ENV: production
INTERNAL_HOST: 0.0.0.0
INTERNAL_PORT: "8081"
INTERNAL_URLS: '{"gateway":"http://gateway:8081","agent":"http://agent:8081","session":"http://session:8081","job":"http://job:8081","task":"http://task:8081","dataset":"http://dataset:8081","key":"http://key:8081","event-bus":"http://event-bus:8081","relay":"http://relay:8081"}'
GATEWAY_HOST: 0.0.0.0
GATEWAY_PORT: "3000"
SHUTDOWN_GRACE_MS: "25000"
{{- $added := ternary .Values.monitoring.config dict .Values.monitoring.enabled }}
{{- range $name, $value := merge (deepCopy .Values.config) $added }}
{{ $name }}: {{ $value | quote }}
{{- end }}
{{- end }}
